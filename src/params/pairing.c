#include "params/checks.h"

#include "model/matching.h"
#include "params/cursor.h"
#include "params/tables.h"

/* Makes room for a rank. */
static int reach(struct numbers *partners, long rank, struct complaints *c)
{
    if (rank < partners->count)
        return 0;
    long *list = realloc(partners->list, ((size_t)rank + 1) * sizeof(*list));
    if (list == NULL)
        return complaints_add(c, 0, "out of memory for the pairs");
    partners->list = list;
    while (partners->count <= rank)
        list[partners->count++] = MATCHING_NONE;
    return 0;
}

static int read_rank(struct numbers *partners, struct cursor *k, int processes, long *rank)
{
    const struct bounds bounds = { "a rank", 0, 100000000 };
    size_t at = cursor_place(k);
    if (cursor_number(k, &bounds, rank) != 0)
        return -1;
    if (processes > 0 && *rank >= processes)
        return complaints_add(k->complaints, at,
                              "rank %ld is not among the %d processes of this run", *rank,
                              processes);
    if (reach(partners, *rank, k->complaints) != 0)
        return -1;
    if (partners->list[*rank] == MATCHING_NONE)
        return 0;
    return complaints_add(k->complaints, at, "rank %ld occurs twice; its partner is already %ld",
                          *rank, partners->list[*rank]);
}

static int read_pair(struct numbers *partners, struct cursor *k, int processes)
{
    long one, other;
    if (read_rank(partners, k, processes, &one) != 0)
        return -1;
    size_t at = cursor_place(k);
    if (cursor_at_end(k))
        return complaints_add(k->complaints, at,
                              "rank %ld has no partner: write two ranks for each pair", one);
    if (read_rank(partners, k, processes, &other) != 0)
        return -1;
    if (one == other)
        return complaints_add(k->complaints, at, "rank %ld cannot be its own partner", one);
    partners->list[one] = other;
    partners->list[other] = one;
    return 0;
}

int pairing_read(struct suite *s, const struct source *text, int processes, struct complaints *c)
{
    struct cursor k = cursor_over_file(text, c);
    struct numbers *partners = &s->named[FILE_PARTS];
    int rc = 0;
    while (rc == 0 && !cursor_at_end(&k))
        rc = read_pair(partners, &k, processes);
    if (rc == 0 && partners->count == 0)
        return complaints_add(c, 0, "no pairs: write two ranks for each pair");
    return rc;
}

/* Without rows for the pairs, repetitions take the rounds in turn. */
static void check_rounds(const struct suite *s, int processes, struct complaints *c)
{
    int rounds = matching_count(s, processes);
    if (s->options.pairs == PAIRS_ROUND && suite_arguments(s) != ARGUMENTS_PAIRS &&
        rounds > s->max_repetition)
        keys_reject(c, s,
                    "'pairs=round' among %d processes has %d rounds and needs as many repetitions, "
                    "but Max_Repetition is %d",
                    processes, rounds, s->max_repetition);
}

/* "shift:2", as in the parameter file. */
static void print_pairing(const struct suite *s, struct text *out)
{
    value_formed.print(&key_table.rows[OPTION_PAIRS], &s->options, out);
}

static bool has_pairs(const struct suite *s)
{
    return type_has_option(s->type, OPTION_PAIRS);
}

void pairing_check(const struct suite *s, struct complaints *c)
{
    LOCAL_TEXT name = { 0 };
    if (!has_pairs(s))
        return;
    print_pairing(s, &name);
    enum pairing pairs = s->options.pairs;
    if (suite_varies(s, processes) &&
        (pairs == PAIRS_SHIFT || pairs == PAIRS_XOR || pairs == PAIRS_FILE))
        keys_reject(c, s,
                    "'pairs=%s' cannot be combined with 'Variation = Nodes'; half, next and "
                    "random:SEED can",
                    text_get(&name));
    if (s->options.pairs == PAIRS_RANDOM && s->options.matchings > s->max_repetition)
        keys_reject(c, s, "%d matchings need as many repetitions, but Max_Repetition is %d",
                    s->options.matchings, s->max_repetition);
}

void pairing_check_processes(const struct suite *s, int processes, struct complaints *c)
{
    LOCAL_TEXT name = { 0 }, idle = { 0 };
    if (has_pairs(s))
        check_rounds(s, processes, c);
    if (has_pairs(s) && !suite_varies(s, processes) &&
        matching_idle(s, processes, &idle) == processes) {
        print_pairing(s, &name);
        keys_reject(c, s, "'pairs=%s' leaves no pair among %d processes", text_get(&name),
                    processes);
    }
}
