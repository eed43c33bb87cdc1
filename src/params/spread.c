#include "params/checks.h"

#include "model/spreading.h"
#include "model/topology_rules.h"
#include "params/cursor.h"

/* Checks numbers that are arguments, with Variation = Spread. */
static void check_varied(const struct suite *s, struct complaints *c)
{
    const struct form *info = &spread_forms[s->options.spread];
    if (info->max == 0)
        complaints_add(c, s->at[FIELD_VARIATION],
                       "'spread=%s' has no number to vary; 'geometric', 'one_large', 'sparse' and "
                       "'random' have one",
                       info->name);
    else if (s->options.spread_number != SPREAD_NO_NUMBER)
        keys_reject(c, s, "'Variation = Spread' varies the %s; write 'spread=%s' without a number",
                    info->part, info->name);
    else if (s->end_argument > info->max)
        complaints_add(c, s->at[FIELD_END], "End_Argument %ld is more than %ld, the largest %s",
                       s->end_argument, info->max, info->part);
}

static void check_constant(const struct suite *s, struct complaints *c)
{
    const struct form *info = &spread_forms[s->options.spread];
    if (info->max > 0 && s->options.spread_number == SPREAD_NO_NUMBER)
        keys_reject(c, s,
                    "'spread=%s' needs a number: write 'spread=%s:%s' or 'Variation = Spread'",
                    info->name, info->name, info->part);
}

void spread_check(const struct suite *s, struct complaints *c)
{
    if (!type_has_option(s->type, OPTION_SPREAD))
        return;
    if (suite_varies(s, spread))
        check_varied(s, c);
    else
        check_constant(s, c);
    if (s->options.spread == SPREAD_TRANSPOSE && (s->type->traits & TYPE_ALL_TO_ALL) == 0)
        keys_reject(c, s,
                    "'spread=transpose' is for all-to-all; type '%s' sends to or from one "
                    "process, or the same to all",
                    type_label_of(s->type));
}

/* Appends the numbers of a text, whose end is then at end. */
static int read_numbers(struct numbers *n, const struct source *text, const struct bounds *bounds,
                        size_t *end, struct complaints *c)
{
    struct cursor k = cursor_over_file(text, c);
    size_t capacity = 0;
    while (!cursor_at_end(&k)) {
        size_t count = (size_t)n->count;
        long value;
        if (cursor_number(&k, bounds, &value) != 0)
            return -1;
        if (count == INT_MAX || !grow_for_one(&n->list, count, &capacity, sizeof(*n->list)))
            return complaints_add(c, 0, "out of memory for the numbers");
        n->list[n->count++] = value;
    }
    *end = cursor_place(&k);
    return 0;
}

/* Checks that the shares are for n processes; 0: any number. */
static int check_count(const struct suite *s, int n, size_t end, struct complaints *c)
{
    bool matrix = (s->type->traits & TYPE_ALL_TO_ALL) != 0;
    long wanted = matrix ? (long)n * n : n;
    if (n == 0 || s->named[FILE_PARTS].count == wanted)
        return 0;
    return complaints_add(c, end,
                          "type '%s' among %d processes needs %ld shares, %s, but there are %d",
                          type_label_of(s->type), n, wanted,
                          matrix ? "a row of them for each process" : "one for each process",
                          s->named[FILE_PARTS].count);
}

static int check_sum(const struct numbers *shares, struct complaints *c)
{
    for (int i = 0; i < shares->count; i++)
        if (shares->list[i] > 0)
            return 0;
    return complaints_add(c, 0, "%s; at least one must be above 0",
                          shares->count == 0 ? "no shares" : "all shares are 0");
}

int spread_read(const struct params *p, struct suite *s, const struct source *text, int processes,
                struct complaints *c)
{
    static const struct bounds bounds = { "a share", 0, 1000000000 };
    struct numbers *shares = &s->named[FILE_PARTS];
    int groups = s->options.groups > 1 ? s->options.groups : 1;
    int n = topology_processes(p, s, processes) / groups;
    size_t end;
    if (read_numbers(shares, text, &bounds, &end, c) != 0 || check_sum(shares, c) != 0)
        return -1;
    return check_count(s, n, end, c);
}

int arrival_read(struct suite *s, const struct source *text, int processes, struct complaints *c)
{
    static const struct bounds bounds = { "a delay", 0, MOST_DELAY_US };
    struct numbers *delays_us = &s->named[FILE_ARRIVALS];
    int groups = s->options.groups > 1 ? s->options.groups : 1, n = processes / groups;
    size_t end;
    if (read_numbers(delays_us, text, &bounds, &end, c) != 0)
        return -1;
    if (delays_us->count >= n)
        return 0;
    return complaints_add(c, end, "%d processes need a delay each, but there are %d delays", n,
                          delays_us->count);
}
