#include "params/rank_order.h"

#include <limits.h>
#include <string.h>

static const char RANDOM[] = "random:";

static int order_parse(const struct value_row *row, const struct value_input *in, void *base)
{
    struct suite_options *x = base;
    const char *value = in->source->bytes + in->from;
    struct value_input seed = *in;
    seed.from += strlen(RANDOM);
    x->order_seed = 0;
    x->order = ORDER_NATURAL;
    if (text_same_n(value, in->to - in->from, "natural"))
        return 0;
    x->order = ORDER_RANDOM;
    if (seed.from >= in->to || !text_same_n(value, strlen(RANDOM), RANDOM) ||
        !value_whole(&seed, &x->order_seed) || x->order_seed < 0 || x->order_seed > INT_MAX)
        return value_reject(row, in);
    return 0;
}

static void order_print(const struct value_row *row, const void *base, struct text *out)
{
    const struct suite_options *x = base;
    (void)row;
    if (x->order == ORDER_RANDOM)
        text_add(out, "%s%ld", RANDOM, x->order_seed);
    else
        text_add(out, "natural");
}

static void order_explain(const struct value_row *row, struct text *out)
{
    (void)row;
    text_add(out, "natural or random:SEED");
}

const struct value_kind value_order = { .parse = order_parse,
                                        .print = order_print,
                                        .explain = order_explain };
