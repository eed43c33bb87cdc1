/* The rules of accesses, pairs and spreads. */
#include "model/layouts.h"
#include "model/matching.h"
#include "model/spreading.h"
#include "params/checks.h"
#include "params/tables.h"

int type_reject(struct complaints *c, const struct suite *s, enum field at, const char *format, ...)
{
    LOCAL_TEXT words = { 0 };
    text_add(&words, "type '%s' ", type_label_of(s->type));
    text_add_own(&words, format);
    return complaints_add(c, s->at[at], "%s", text_get(&words));
}

enum {
    SWAPPED_KINDS = 1u << KIND_INTEGER | 1u << KIND_FORTRAN_INTEGER | 1u << KIND_ADDRESS |
                    1u << KIND_BYTE | 1u << KIND_LOGICAL
};

static const char *sync_name(const struct suite *s)
{
    return value_name(&key_table.rows[OPTION_SYNC], (int)s->options.sync);
}

void one_sided_check(const struct params *p, const struct suite *s, struct complaints *c)
{
    const struct predefined *type = layout_predefined(p, s->send_datatype, s->send_basetype);
    if ((s->type->traits & TYPE_ONE_SIDED) == 0)
        return;
    if ((s->type->traits & TYPE_RMA_REQUESTS) != 0 &&
        (s->options.sync == SYNC_FENCE || s->options.sync == SYNC_PSCW))
        type_reject(c, s, FIELD_PARAMETERS,
                    "needs a lock: MPI allows no request with 'sync=%s'; use 'lock', 'flush', "
                    "'flush_local' or 'notify'",
                    sync_name(s));
    const struct suite_options *x = &s->options;
    bool passive = x->sync == SYNC_LOCK || x->sync == SYNC_FLUSH || x->sync == SYNC_FLUSH_LOCAL;
    if (x->lock == LOCK_EXCLUSIVE && x->sync != SYNC_LOCK)
        keys_reject(c, s, "'lock=exclusive' needs 'sync=lock', not 'sync=%s'", sync_name(s));
    if (x->assertions == ASSERT_ALL && x->sync != SYNC_FENCE)
        keys_reject(c, s, "'assert=all' needs 'sync=fence', not 'sync=%s'", sync_name(s));
    if (x->busy_us > 0 && !passive)
        keys_reject(c, s,
                    "'busy=%d' needs a target that makes no call: 'sync=lock', 'flush' or "
                    "'flush_local', not 'sync=%s'",
                    x->busy_us, sync_name(s));
    if ((s->type->traits & TYPE_SWAPS) != 0 && type != NULL &&
        (1u << type->kind & SWAPPED_KINDS) == 0)
        complaints_add(c, s->at[FIELD_SEND_DATATYPE],
                       "MPI_Compare_and_swap accepts only integers, not '%s'; try 5 (MPI_INT)",
                       type->name);
}

void pairing_check(const struct suite *s, struct complaints *c)
{
    LOCAL_TEXT name = { 0 };
    if (!type_has_option(s->type, OPTION_PAIRS))
        return;
    value_formed.print(&key_table.rows[OPTION_PAIRS], &s->options, &name);
    const enum pairing pairs = s->options.pairs;
    if (suite_varies(s, processes) &&
        (pairs == PAIRS_SHIFT || pairs == PAIRS_XOR || pairs == PAIRS_FILE))
        keys_reject(c, s,
                    "'pairs=%s' cannot be combined with 'Variation = Nodes'; half, next and "
                    "random:SEED can",
                    text_get(&name));
    if (pairs == PAIRS_RANDOM && s->options.matchings > s->max_repetition)
        keys_reject(c, s, "%d matchings need as many repetitions, but Max_Repetition is %d",
                    s->options.matchings, s->max_repetition);
}

void pairing_check_processes(const struct suite *s, int processes, struct complaints *c)
{
    LOCAL_TEXT name = { 0 }, idle = { 0 };
    if (!type_has_option(s->type, OPTION_PAIRS))
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
        value_formed.print(&key_table.rows[OPTION_PAIRS], &s->options, &name);
        keys_reject(c, s, "'pairs=%s' leaves no pair among %d processes", text_get(&name),
                    processes);
    }
}

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

void spread_check(const struct suite *s, struct complaints *c)
{
    const struct form *info = &spread_forms[s->options.spread];
    if (!type_has_option(s->type, OPTION_SPREAD))
        return;
    if (suite_varies(s, spread))
        check_varied(s, c);
    else if (info->max > 0 && s->options.spread_number == SPREAD_NO_NUMBER)
        keys_reject(c, s,
                    "'spread=%s' needs a number: write 'spread=%s:%s' or 'Variation = Spread'",
                    info->name, info->name, info->part);
    if (s->options.spread == SPREAD_TRANSPOSE && (s->type->traits & TYPE_ALL_TO_ALL) == 0)
        keys_reject(c, s,
                    "'spread=transpose' is for all-to-all; type '%s' sends to or from one "
                    "process, or the same to all",
                    type_label_of(s->type));
    if (s->options.in_place && (s->type->traits & TYPE_ALL_TO_ALL) != 0 &&
        s->options.spread != SPREAD_UNIFORM && s->options.spread != SPREAD_FILE)
        keys_reject(c, s,
                    "in place, a process sends another one as much as it receives from it, which "
                    "'spread=%s' does not; use 'uniform', or a symmetric matrix by 'file:NAME'",
                    info->name);
}
