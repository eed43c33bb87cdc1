#include "params/spread_kind.h"

#include <limits.h>
#include <string.h>

static const struct {
    const char *name;
    const char *number; /* what it is; NULL: there is none */
    long min, max;
} rows[] = {
    [SPREAD_UNIFORM] = { "uniform", NULL, 0, 0 },
    [SPREAD_LINEAR] = { "linear", NULL, 0, 0 },
    [SPREAD_GEOMETRIC] = { "geometric", "FACTOR", 1, 1000 },
    [SPREAD_ONE_LARGE] = { "one_large", "PERCENT", 1, 100 },
    [SPREAD_SPARSE] = { "sparse", "PARTS", 1, 1000000000 },
    [SPREAD_RANDOM] = { "random", "SEED", 0, INT_MAX },
};
enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

static int spread_parse(const struct value_row *row, const struct value_input *in, void *base)
{
    struct suite_options *x = base;
    const char *value = in->source->bytes + in->from;
    size_t len = in->to - in->from;
    for (int i = 0; i < ROWS; i++) {
        size_t name = strlen(rows[i].name);
        bool numbered = len > name + 1 && value[name] == ':';
        if (!text_same_n(value, numbered ? name : len, rows[i].name) ||
            numbered != (rows[i].number != NULL))
            continue;
        struct value_input number = *in;
        number.from += name + 1;
        x->spread = (enum spreading)i;
        x->spread_number = 0;
        if (!numbered || (value_whole(&number, &x->spread_number) &&
                          x->spread_number >= rows[i].min && x->spread_number <= rows[i].max))
            return 0;
    }
    return value_reject(row, in);
}

static void spread_print(const struct value_row *row, const void *base, struct text *out)
{
    const struct suite_options *x = base;
    (void)row;
    text_add(out, "%s", rows[x->spread].name);
    if (rows[x->spread].number != NULL)
        text_add(out, ":%ld", x->spread_number);
}

static void spread_explain(const struct value_row *row, struct text *out)
{
    (void)row;
    for (int i = 0; i < ROWS; i++) {
        text_add(out, "%s%s", i == 0 ? "" : i == ROWS - 1 ? " or " : ", ", rows[i].name);
        if (rows[i].number != NULL)
            text_add(out, ":%s", rows[i].number);
    }
}

const struct value_kind value_spread = { .parse = spread_parse,
                                         .print = spread_print,
                                         .explain = spread_explain };
