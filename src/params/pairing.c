#include "params/checks.h"

#include "base/text.h"
#include "model/matching.h"
#include "params/cursor.h"
#include "params/kinds.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The value after the colon, or to == from. */
static struct value_input after_colon(const struct value_input *in, size_t *name_end)
{
    struct value_input rest = *in;
    const char *bytes = in->source->bytes;
    size_t at = in->from;
    while (at < in->to && bytes[at] != ':')
        at++;
    *name_end = at;
    rest.from = at < in->to ? at + 1 : at;
    return rest;
}

static bool is_distance(enum pairing pairing)
{
    return pairing == PAIRS_SHIFT || pairing == PAIRS_XOR;
}

static bool take_number(struct suite_options *x, const struct value_input *in)
{
    long number;
    long least = is_distance(x->pairs) ? 1 : 0;
    if (in->from == in->to || !value_whole(in, &number) || number < least || number > INT_MAX)
        return false;
    x->pairs_number = number;
    return true;
}

static bool take_file(struct suite_options *x, const struct value_input *in)
{
    size_t len = in->to - in->from;
    if (len == 0 || len >= PAIRS_FILE_SIZE)
        return false;
    memcpy(x->pairs_file, in->source->bytes + in->from, len);
    return true;
}

static bool take_rest(struct suite_options *x, const struct value_input *rest)
{
    x->pairs_number = 0;
    memset(x->pairs_file, 0, sizeof(x->pairs_file));
    if (x->pairs == PAIRS_FILE)
        return take_file(x, rest);
    if (pairing_has_number(x->pairs))
        return take_number(x, rest);
    return rest->source->bytes[rest->from - 1] != ':' && rest->from == rest->to;
}

static int pairing_parse(const struct value_row *row, const struct value_input *in, void *base)
{
    struct suite_options *x = base;
    size_t end;
    struct value_input rest = after_colon(in, &end);
    for (size_t i = 0; pairing_name(i) != NULL; i++) {
        if (!text_same_n(in->source->bytes + in->from, end - in->from, pairing_name(i)))
            continue;
        x->pairs = (enum pairing)i;
        return take_rest(x, &rest) ? 0 : value_reject(row, in);
    }
    return value_reject(row, in);
}

static void print_pairing(const struct suite_options *x, struct text *out)
{
    text_add(out, "%s", pairing_name(x->pairs));
    if (x->pairs == PAIRS_FILE)
        text_add(out, ":%s", x->pairs_file);
    else if (pairing_has_number(x->pairs))
        text_add(out, ":%ld", x->pairs_number);
}

static void pairing_print(const struct value_row *row, const void *base, struct text *out)
{
    (void)row;
    print_pairing(base, out);
}

static void pairing_explain(const struct value_row *row, struct text *out)
{
    (void)row;
    text_add(out, "half, next, shift:DISTANCE, xor:DISTANCE, random:SEED, file:NAME or round");
}

const struct value_kind value_pairing = { .parse = pairing_parse,
                                          .print = pairing_print,
                                          .explain = pairing_explain };

/* Makes room for a rank. */
static int reach(struct suite *s, int rank, struct complaints *c)
{
    if (rank < s->partner_count)
        return 0;
    size_t count = (size_t)rank + 1;
    int *partners = realloc(s->partners, count * sizeof(int));
    if (partners == NULL) {
        complaints_add(c, 0, "out of memory for the pairs");
        return -1;
    }
    s->partners = partners;
    while (s->partner_count <= rank)
        s->partners[s->partner_count++] = MATCHING_NONE;
    return 0;
}

static int read_rank(struct suite *s, struct cursor *k, int processes, long *rank)
{
    const struct bounds bounds = { "a rank", 0, 100000000 };
    size_t at = cursor_place(k);
    if (cursor_number(k, &bounds, rank) != 0)
        return -1;
    if (processes > 0 && *rank >= processes) {
        complaints_add(k->complaints, at, "rank %ld is not among the %d processes of this run",
                       *rank, processes);
        return -1;
    }
    if (reach(s, (int)*rank, k->complaints) != 0)
        return -1;
    if (s->partners[*rank] == MATCHING_NONE)
        return 0;
    complaints_add(k->complaints, at, "rank %ld occurs twice; its partner is already %d", *rank,
                   s->partners[*rank]);
    return -1;
}

static int read_pair(struct suite *s, struct cursor *k, int processes)
{
    long one, other;
    if (read_rank(s, k, processes, &one) != 0)
        return -1;
    size_t at = cursor_place(k);
    if (cursor_at_end(k)) {
        complaints_add(k->complaints, at, "rank %ld has no partner: write two ranks for each pair",
                       one);
        return -1;
    }
    if (read_rank(s, k, processes, &other) != 0)
        return -1;
    if (one == other) {
        complaints_add(k->complaints, at, "rank %ld cannot be its own partner", one);
        return -1;
    }
    s->partners[one] = (int)other;
    s->partners[other] = (int)one;
    return 0;
}

int pairing_read(struct suite *s, const struct source *text, int processes, struct complaints *c)
{
    char *bytes = source_without_comments(text);
    const struct source plain = { text->name, bytes, text->len };
    struct cursor k = { .source = &plain, .end = text->len, .complaints = c };
    int rc = bytes == NULL ? -1 : 0;
    if (rc != 0)
        complaints_add(c, 0, "out of memory");
    free(s->partners);
    s->partners = NULL;
    s->partner_count = 0;
    while (rc == 0 && !cursor_at_end(&k))
        rc = read_pair(s, &k, processes);
    if (rc == 0 && s->partner_count == 0) {
        complaints_add(c, 0, "no pairs: write two ranks for each pair");
        rc = -1;
    }
    free(bytes);
    return rc;
}

/* All pairs are those of a round robin, each with its own times. */
static void check_all_pairs(const struct suite *s, struct complaints *c)
{
    if (s->variation != VARY_PAIRS)
        return;
    if (s->options.pairs != PAIRS_ROUND)
        complaints_add(c, s->at[FIELD_VARIATION],
                       "'Variation = Pairs' needs 'Parameters = \"pairs=round\"'");
    if (suite_keeps_times(s))
        complaints_add(c, s->at[FIELD_PARAMETERS],
                       "histogram and raw cannot be combined with 'Variation = Pairs'");
}

/* Without rows for the pairs, repetitions take the rounds in turn. */
static void check_rounds(const struct suite *s, int processes, struct complaints *c)
{
    int rounds = matching_count(s, processes);
    if (s->options.pairs == PAIRS_ROUND && s->variation != VARY_PAIRS && rounds > s->max_repetition)
        complaints_add(c, s->at[FIELD_PARAMETERS],
                       "'pairs=round' among %d processes has %d rounds and needs as many "
                       "repetitions, but Max_Repetition is %d",
                       processes, rounds, s->max_repetition);
}

static bool has_pairs(const struct suite *s)
{
    return (type_options(s->type) & OPTION_BIT(OPTION_PAIRS)) != 0;
}

void pairing_check(const struct suite *s, struct complaints *c)
{
    struct text name = { 0 };
    if (!has_pairs(s))
        return;
    check_all_pairs(s, c);
    print_pairing(&s->options, &name);
    if (s->variation == VARY_NODES &&
        (is_distance(s->options.pairs) || s->options.pairs == PAIRS_FILE))
        complaints_add(c, s->at[FIELD_PARAMETERS],
                       "'pairs=%s' cannot be combined with 'Variation = Nodes'; half, next and "
                       "random:SEED can",
                       text_get(&name));
    if (s->options.pairs == PAIRS_RANDOM && s->options.matchings > s->max_repetition)
        complaints_add(c, s->at[FIELD_PARAMETERS],
                       "%d matchings need as many repetitions, but Max_Repetition is %d",
                       s->options.matchings, s->max_repetition);
    text_release(&name);
}

void pairing_check_processes(const struct suite *s, int processes, struct complaints *c)
{
    struct text name = { 0 }, idle = { 0 };
    if (has_pairs(s))
        check_rounds(s, processes, c);
    if (has_pairs(s) && s->variation != VARY_NODES &&
        matching_idle(s, processes, &idle) == processes) {
        print_pairing(&s->options, &name);
        complaints_add(c, s->at[FIELD_PARAMETERS], "'pairs=%s' leaves no pair among %d processes",
                       text_get(&name), processes);
    }
    text_release(&name);
    text_release(&idle);
}
