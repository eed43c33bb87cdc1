#include "params/checks.h"

#include "base/text.h"
#include "model/spreading.h"
#include "model/topology_rules.h"
#include "params/cursor.h"
#include "params/kinds.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The number or the file's name after the colon. */
static bool take_value(struct suite_options *x, const struct value_input *in)
{
    const struct spread_info *info = spread_info(x->spread);
    size_t len = in->to - in->from;
    if (x->spread == SPREAD_FILE && len > 0 && len < SPREAD_FILE_SIZE) {
        memcpy(x->spread_file, in->source->bytes + in->from, len);
        return true;
    }
    return info->number != NULL && len > 0 && value_whole(in, &x->spread_number) &&
           x->spread_number >= info->min && x->spread_number <= info->max;
}

static int reject_number(const struct spread_info *info, const struct value_input *in)
{
    char got[QUOTE_SIZE];
    complaints_add(in->complaints, in->from,
                   "%s of 'spread=%s' must be an integer from %ld to %ld, got '%s'", info->number,
                   info->name, info->min, info->max,
                   value_quote_part(in->source, in->from, in->to, got));
    return -1;
}

static int spread_parse(const struct value_row *row, const struct value_input *in, void *base)
{
    struct suite_options *x = base;
    const char *value = in->source->bytes + in->from;
    size_t len = in->to - in->from;
    const char *colon = memchr(value, ':', len);
    size_t name = colon == NULL ? len : (size_t)(colon - value);
    struct value_input rest = *in;
    rest.from += name + 1;
    x->spread_number = SPREAD_NO_NUMBER;
    memset(x->spread_file, 0, sizeof(x->spread_file));
    for (int kind = 0; kind < SPREADING_COUNT; kind++) {
        const struct spread_info *info = spread_info((enum spreading)kind);
        if (!text_same_n(value, name, info->name))
            continue;
        x->spread = (enum spreading)kind;
        if (colon == NULL ? kind != SPREAD_FILE : take_value(x, &rest))
            return 0;
        if (info->number != NULL)
            return reject_number(info, &rest);
    }
    return value_reject(row, in);
}

static void spread_print(const struct value_row *row, const void *base, struct text *out)
{
    const struct suite_options *x = base;
    (void)row;
    text_add(out, "%s", spread_info(x->spread)->name);
    if (x->spread == SPREAD_FILE)
        text_add(out, ":%s", x->spread_file);
    else if (x->spread_number != SPREAD_NO_NUMBER)
        text_add(out, ":%ld", x->spread_number);
}

static void spread_explain(const struct value_row *row, struct text *out)
{
    (void)row;
    for (int kind = 0; kind < SPREADING_COUNT; kind++) {
        const struct spread_info *info = spread_info((enum spreading)kind);
        const char *number = kind == SPREAD_FILE ? "NAME" : info->number;
        text_add(out, "%s%s%s%s",
                 kind == 0             ? ""
                 : kind == SPREAD_FILE ? " or "
                                       : ", ",
                 info->name, number == NULL ? "" : ":", number == NULL ? "" : number);
    }
}

const struct value_kind value_spread = { .parse = spread_parse,
                                         .print = spread_print,
                                         .explain = spread_explain };

/* With Variation = Spread, the arguments are the numbers. */
static void check_varied(const struct suite *s, struct complaints *c)
{
    const struct spread_info *info = spread_info(s->options.spread);
    if (info->number == NULL)
        complaints_add(c, s->at[FIELD_VARIATION],
                       "'spread=%s' has no number to vary; 'geometric', 'one_large', 'sparse' and "
                       "'random' have one",
                       info->name);
    else if (s->options.spread_number != SPREAD_NO_NUMBER)
        complaints_add(c, s->at[FIELD_PARAMETERS],
                       "'Variation = Spread' varies the %s; write 'spread=%s' without a number",
                       info->number, info->name);
    else if (s->end_argument > info->max)
        complaints_add(c, s->at[FIELD_END], "End_Argument %ld is more than %ld, the largest %s",
                       s->end_argument, info->max, info->number);
}

static void check_constant(const struct suite *s, struct complaints *c)
{
    const struct spread_info *info = spread_info(s->options.spread);
    if (info->number != NULL && s->options.spread_number == SPREAD_NO_NUMBER)
        complaints_add(c, s->at[FIELD_PARAMETERS],
                       "'spread=%s' needs a number: write 'spread=%s:%s' or 'Variation = Spread'",
                       info->name, info->name, info->number);
    if (s->options.spread == SPREAD_FILE && s->variation == VARY_NODES)
        complaints_add(c, s->at[FIELD_PARAMETERS],
                       "'spread=file' has shares for one number of processes; it cannot be "
                       "combined with 'Variation = Nodes'");
}

void spread_check(const struct suite *s, struct complaints *c)
{
    if ((type_options(s->type) & OPTION_BIT(OPTION_SPREAD)) == 0)
        return;
    if (s->variation == VARY_SPREAD)
        check_varied(s, c);
    else
        check_constant(s, c);
    if (s->options.spread == SPREAD_TRANSPOSE && (s->type->traits & TYPE_ALL_TO_ALL) == 0)
        complaints_add(c, s->at[FIELD_PARAMETERS],
                       "'spread=transpose' is for all-to-all; type '%s_%s' sends to or from one "
                       "process, or the same to all",
                       s->type->pattern->prefix, s->type->name);
}

static int read_share(struct suite *s, struct cursor *k, size_t *capacity)
{
    const struct bounds bounds = { "a share", 0, 1000000000 };
    size_t count = (size_t)s->share_count;
    long share, *shares;
    if (cursor_number(k, &bounds, &share) != 0)
        return -1;
    shares = count < INT_MAX ? grow_for_one(s->shares, count, capacity, sizeof(*shares)) : NULL;
    if (shares == NULL) {
        complaints_add(k->complaints, 0, "out of memory for the shares");
        return -1;
    }
    s->shares = shares;
    s->shares[s->share_count++] = share;
    return 0;
}

static int read_shares(struct suite *s, struct cursor *k)
{
    size_t capacity = 0;
    while (!cursor_at_end(k))
        if (read_share(s, k, &capacity) != 0)
            return -1;
    return 0;
}

/* For the processes that the shares are for; 0: any number. */
static int check_count(const struct suite *s, int n, size_t end, struct complaints *c)
{
    bool matrix = (s->type->traits & TYPE_ALL_TO_ALL) != 0;
    long wanted = matrix ? (long)n * n : n;
    if (n == 0 || s->share_count == wanted)
        return 0;
    complaints_add(c, end, "type '%s_%s' among %d processes needs %ld shares, %s, but there are %d",
                   s->type->pattern->prefix, s->type->name, n, wanted,
                   matrix ? "a row of them for each process" : "one for each process",
                   s->share_count);
    return -1;
}

static int check_sum(const struct suite *s, struct complaints *c)
{
    for (int i = 0; i < s->share_count; i++)
        if (s->shares[i] > 0)
            return 0;
    complaints_add(c, 0, "%s; at least one must be above 0",
                   s->share_count == 0 ? "no shares" : "all shares are 0");
    return -1;
}

int spread_read(const struct params *p, struct suite *s, const struct source *text, int processes,
                struct complaints *c)
{
    char *bytes = source_without_comments(text);
    const struct source plain = { text->name, bytes, text->len };
    struct cursor k = { .source = &plain, .end = text->len, .complaints = c };
    int groups = s->options.groups > 1 ? s->options.groups : 1;
    int n = topology_processes(p, s, processes) / groups, rc = -1;
    free(s->shares);
    s->shares = NULL;
    s->share_count = 0;
    if (bytes == NULL)
        complaints_add(c, 0, "out of memory");
    else if (read_shares(s, &k) == 0 && check_sum(s, c) == 0)
        rc = check_count(s, n, cursor_place(&k), c);
    free(bytes);
    return rc;
}
