#include "params/checks.h"

#include "model/matching.h"
#include "params/tables.h"

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
    if (!has_pairs(s))
        return;
    int rounds = matching_count(s, processes);
    /* Without rows for the pairs, repetitions take the rounds in turn. */
    if (s->options.pairs == PAIRS_ROUND && suite_arguments(s) != ARGUMENTS_PAIRS &&
        rounds > s->max_repetition)
        keys_reject(c, s,
                    "'pairs=round' among %d processes has %d rounds and needs as many repetitions, "
                    "but Max_Repetition is %d",
                    processes, rounds, s->max_repetition);
    if (!suite_varies(s, processes) && matching_idle(s, processes, &idle) == processes) {
        print_pairing(s, &name);
        keys_reject(c, s, "'pairs=%s' leaves no pair among %d processes", text_get(&name),
                    processes);
    }
}
