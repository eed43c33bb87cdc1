/* Collective operations between barriers (manual 3.1.4): timed on the root from its start until it
 * leaves the barrier after the operation. Objects of a repetition are freed after that barrier, not
 * before it as in the manual: MPI_Comm_free is not part of the time. The first repetition after a
 * message with the number of repetitions is not counted. */
#include "patterns/common_start.h"
#include "patterns/op.h"

static double as_root(struct measurement *m, const struct op *op, int calls)
{
    double (*now)(void) = m->resources->clock.now;
    double start = now();
    pattern_calls(m, op, calls);
    MPI_Barrier(m->comm);
    return now() - start;
}

/* Makes a call on a process that may not be the root; reads the clock only if a time is wanted. */
static double as_another(struct measurement *m, const struct op *op, int calls)
{
    double (*now)(void) = m->resources->clock.now;
    bool timed = suite_keeps_own_times(m->suite);
    double start = timed ? now() : 0.0;
    pattern_calls(m, op, calls);
    double time = timed ? now() - start : 0.0;
    MPI_Barrier(m->comm);
    return time;
}

static double repetition(struct measurement *m, const struct op *op, int calls)
{
    bool root = m->rank == m->root;
    double time =
        (root ? as_root(m, op, calls) : as_another(m, op, calls)) - recorder_readings_s(m);
    if (pattern_finalize(m, op))
        MPI_Barrier(m->comm); /* processes free memory at different speeds */
    return time;
}

enum { MAX_SENT = 1000 }; /* repetitions of a batch, if rank 0 is not the root */

/* Takes the time of a repetition; s is NULL in a warm-up; rank 0 measures the series. */
static void take(struct measurement *m, struct series *s, double time)
{
    if (s == NULL)
        return;
    recorder_take(m, s, time / m->calls);
    if (m->rank == 0 && m->root == 0)
        series_add_calls(s, time, m->calls);
}

/* Sends the times of n counted calls, and before them of the first one, from the root to rank 0. */
static void send_from_root(struct measurement *m, struct series *s, double *times, int n)
{
    if (m->rank == m->root)
        MPI_Send(times, n + 1, MPI_DOUBLE, 0, 0, m->control);
    if (m->rank != 0)
        return;
    control_receive(&m->resources->clock, times, n + 1, MPI_DOUBLE, m->root, 0, m->control);
    pattern_first_call(m, s, times[0]);
    for (int i = 1; s != NULL && i <= n; i++)
        series_add_calls(s, times[i], m->calls);
}

static void repeat(struct measurement *m, const struct op *op, struct series *s, int n)
{
    double times[MAX_SENT + 1];
    control_barrier(&m->resources->clock, m->comm);
    algorithm_toggle(&m->algorithm);
    for (int i = 0; i <= n; i++) {
        int calls = i == 0 ? 1 : m->calls;
        repetition_next(m, op, calls);
        if (m->rewrites)
            MPI_Barrier(m->comm); /* to start after another barrier, not after the rewriting */
        double time = repetition(m, op, calls);
        if (m->root != 0 && (i == 0 || s != NULL))
            times[i] = time;
        if (i > 0)
            take(m, s, time);
        else if (m->root == 0)
            pattern_first_call(m, s, time);
    }
    algorithm_toggle(&m->algorithm);
    if (m->root != 0)
        send_from_root(m, s, times, s == NULL ? 0 : n);
}

static void measure_between_barriers(struct measurement *m, const struct op *op, struct series *s)
{
    int n;
    if (m->warmup > 0)
        repeat(m, op, NULL, m->warmup);
    while ((n = pattern_next_batch(m, s, m->root == 0 ? INT_MAX : MAX_SENT)) > 0)
        repeat(m, op, s, n);
}

const struct pattern col_pattern = {
    PATTERN_INFO("col", "Collective", "Collective operations, by barriers (BM)", 41,
                 .variations = VARIES_LENGTH | VARIES_NODES,
                 .traits = PATTERN_TOPOLOGY | PATTERN_OWN_TIMES | PATTERN_STAGES | PATTERN_THREADS,
                 .options = OPTIONS(OPTION_ENTER, OPTION_LOOP, OPTION_COUNTS),
                 .time = TIME_ROOT_AND_BARRIER, .start = START_BARRIER, .processes = "all",
                 .first_call_on = "the root",
                 .variants = { [VARIANT_TOGETHER] = &col_together_pattern.info }),
    .measure = measure_between_barriers,
    .node_times = true,
};

/* Synchronised: the slowest process from a common start (manual 3.1.5). */
const struct pattern syncol_pattern = {
    PATTERN_INFO("syncol", "Synchronous Collective", "Collective operations, synchronised (SM)", 40,
                 .family = "col", .variations = VARIES_LENGTH | VARIES_NODES | VARIES_GROUPS,
                 .traits = PATTERN_TOPOLOGY | PATTERN_GLOBAL_CLOCK | PATTERN_OWN_TIMES |
                           PATTERN_STAGES | PATTERN_THREADS,
                 .time = TIME_SLOWEST, .processes = "all", STARTS_BY_CLOCK,
                 .options = OPTIONS(OPTION_GROUPS, OPTION_LAYOUT, OPTION_LOOP, OPTION_ARRIVAL,
                                    OPTION_COUNTS, OPTION_AS),
                 .variants = { [VARIANT_OTHER] = &mean_process_pattern.info,
                               [VARIANT_GROUPS] = &groups_pattern.info,
                               [VARIANT_EACH_ROOT] = &each_root_pattern.info }),
    COMMON_START(.starts = 1),
    .node_times = true,
};

/* With enter=together, all processes enter at the same instant of the global clock, and the root's
 * time ends when it leaves the closing barrier, without the skew of the barrier before. */
const struct pattern col_together_pattern = {
    VARIANT_INFO(PATTERN_TOPOLOGY | PATTERN_OWN_TIMES, TIME_TOGETHER_AND_BARRIER, ),
    COMMON_START(.servers_only = true, .closing_barrier = true),
    .node_times = true,
};
