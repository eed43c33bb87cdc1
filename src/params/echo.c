#include "params/params.h"

#include "base/hash.h"
#include "params/fields.h"
#include "params/sections.h"

void params_echo_sections(const struct params *p, struct text *out)
{
    for (size_t i = 0; i < section_count(); i++) {
        const struct value_row *row = section_get(i);
        struct text value = { 0 };
        if (row->used != NULL && !row->used(p))
            continue;
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

static void add_section(const struct params *p, const struct value_row *row, struct text *out)
{
    struct text value = { 0 };
    row->kind->print(row, p, &value);
    text_add(out, "%s %s\n", row->name, text_get(&value));
    out->failed = out->failed || value.failed;
    text_release(&value);
}

/* The contents of a file that a suite names matter, not only its name. */
static void add_named(const struct suite *s, struct text *out)
{
    for (int i = 0; i < s->partner_count; i++)
        text_add(out, " %d", s->partners[i]);
    for (int i = 0; i < s->share_count; i++)
        text_add(out, " %ld", s->shares[i]);
}

/* Likewise the graphs in files. */
static void add_graphs(const struct params *p, struct text *out)
{
    for (int i = 1; i <= TOPOLOGY_MAX; i++) {
        const struct topology *t = &p->topologies[i];
        for (int k = 0, n = 0; t->file != NULL && k < t->count; k++)
            for (text_add(out, " %d:", k); n < t->ends[k]; n++)
                text_add(out, " %d", t->values[n]);
    }
}

int params_fingerprint(const struct params *p, uint64_t *fingerprint)
{
    struct text all = { 0 };
    for (size_t i = 0; i < section_count(); i++) {
        const struct value_row *row = section_get(i);
        if (section_matters(row) && (row->used == NULL || row->used(p)))
            add_section(p, row, &all);
    }
    add_graphs(p, &all);
    for (size_t i = 0; i < p->suite_count; i++) {
        params_echo_suite(p, &p->suites[i], &all);
        add_named(&p->suites[i], &all);
        text_add(&all, "\n");
    }
    *fingerprint = hash_bytes(text_get(&all), all.len);
    int rc = all.failed ? -1 : 0;
    text_release(&all);
    return rc;
}
