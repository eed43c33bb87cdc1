#include "params/tables.h"
#include "model/topology_rules.h"

static const char *variation_choice(size_t i)
{
    return i < VARIATION_COUNT ? variation_info((enum variation)i)->name : NULL;
}

static const char *variation_fallback(const struct suite *s)
{
    for (enum variation v = 0; v < VARIATION_COUNT; v++)
        if (variation_info(v)->first_choice && type_varies(s->type, v))
            return variation_choice(v);
    return variation_choice(0);
}

static const char *scale_fallback(const struct suite *s)
{
    return scale_name(s->type->application != NULL ? SCALE_FIXED_LINEAR
                                                   : variation_info(s->variation)->scale);
}

static const char *multiple_fallback(const struct suite *s)
{
    const char *multiple = variation_info(s->variation)->multiple;
    return multiple != NULL ? multiple : "1";
}

static const char *stepwidth_fallback(const struct suite *s)
{
    const struct variation_info *v = variation_info(s->variation);
    if (scale_is_log(s->scale))
        return v->log_step != NULL ? v->log_step : "1.414213562";
    return v->linear_step != NULL ? v->linear_step : "1";
}

#define NO_LIMIT WORDS({ "Invalid_Value", 0 }, { "Invalid_Time", 0 })

/* No buffer is longer than this, and sums over processes stay far from overflow. */
#define MAX_LENGTH (double)(1LL << 40)

#define AT(member) .offset = offsetof(struct suite, member)

static const struct value_row fields[FIELD_COUNT] = {
#define FIELD(constant, ...) [FIELD_##constant] = { __VA_ARGS__ },
#include "model/fields.def"
};

const struct value_table field_table = { "field", &fields[FIELD_NAME + 1],
                                         FIELD_COUNT - FIELD_NAME - 1 };

const struct value_row *field_get(enum field field)
{
    return &fields[field];
}

unsigned field_mask(const char *name, size_t len)
{
    unsigned mask = 0;
    for (int i = FIELD_NAME + 1; i < FIELD_COUNT; i++)
        if (value_named(&fields[i], name, len))
            mask |= 1u << i;
    return mask;
}

int field_parse(enum field field, const struct value_input *in, struct suite *s)
{
    const struct value_row *row = &fields[field];
    bool dependent = row->fallback_for != NULL && (in->to == 0 || row->section != NULL);
    size_t len = in->to - in->from;
    bool missing = in->to == 0;
    if (missing || (dependent && text_same_n(in->source->bytes + in->from, len, "Default_Value")))
        return section_text_parse(row, dependent ? row->fallback_for(s) : row->fallback, in, s);
    return section_value_parse(row, in, s);
}
