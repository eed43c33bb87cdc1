#include "params/params.h"

#include "params/fields.h"
#include "params/sections.h"

void params_echo_sections(const struct params *p, struct text *out)
{
    for (size_t i = 0; i < section_count(); i++) {
        const struct value_row *row = section_get(i);
        struct text value = { 0 };
        row->kind->print(row, p, &value);
        if (row->kind != &value_text && value.len > 0)
            text_add(out, "%s %s\n", row->name, text_get(&value));
        out->failed = out->failed || value.failed;
        text_release(&value);
    }
}

void params_echo_suite(const struct params *p, const struct suite *s, struct text *out)
{
    (void)p;
    text_add(out, "%s {", s->name);
    for (int i = FIELD_NAME + 1; i < FIELD_COUNT; i++) {
        const struct value_row *row = field_get((enum field)i);
        text_add(out, " %s = ", row->name);
        row->kind->print(row, s, out);
        text_add(out, ";");
    }
    text_add(out, " }");
}
