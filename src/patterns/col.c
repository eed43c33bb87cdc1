/* Collective operations between barriers (manual 3.1.4): timed on the root from its start until it
 * leaves the barrier after the operation. What a repetition allocated is freed after that barrier,
 * not before it as in the manual: MPI_Comm_free is not part of the time. The first repetition after
 * a message with the number of repetitions is not counted. */
#include "patterns/common_start.h"
#include "patterns/op.h"

static double as_root(struct run *r, const struct op *op, int calls)
{
    double (*now)(void) = r->machine->clock.now;
    double start = now();
    pattern_calls(r, op, calls);
    MPI_Barrier(r->comm);
    return now() - start;
}

/* Reads the clock only if a time is wanted: reading it takes some of the root's time. */
static double as_another(struct run *r, const struct op *op, int calls)
{
    double (*now)(void) = r->machine->clock.now;
    bool timed = suite_keeps_own_times(r->suite);
    double start = timed ? now() : 0.0;
    pattern_calls(r, op, calls);
    double time = timed ? now() - start : 0.0;
    MPI_Barrier(r->comm);
    return time;
}

/* Another barrier precedes the next repetition: processes free memory at different speeds. */
static void finalize(struct run *r, const struct op *op)
{
    if (op->hooks.finalize == NULL)
        return;
    op->hooks.finalize(r);
    MPI_Barrier(r->comm);
}

/* With data to rewrite, the repetition starts after another barrier, not after the rewriting. */
static void prepare(struct run *r, const struct op *op, int calls)
{
    repetition_next(r, op, calls);
    if (repetition_rewrites(r))
        MPI_Barrier(r->comm);
}

static double repetition(struct run *r, const struct op *op, int calls)
{
    bool root = r->rank == r->root;
    double time =
        (root ? as_root(r, op, calls) : as_another(r, op, calls)) - recorder_readings_s(r);
    finalize(r, op);
    return time;
}

enum { MAX_SENT = 1000 }; /* repetitions of a batch, if another process than rank 0 is the root */

/* s is NULL in a warm-up; rank 0 measures the series. */
static void take(struct run *r, struct series *s, double time)
{
    if (s == NULL)
        return;
    recorder_take(r, s, time / r->calls);
    if (r->rank == 0 && r->root == 0)
        series_add_calls(s, time, r->calls);
}

/* The times of n counted calls and of the first one before go from another root to rank 0. */
static void send_from_root(struct run *r, struct series *s, double *times, int n)
{
    if (r->rank == r->root)
        MPI_Send(times, n + 1, MPI_DOUBLE, 0, 0, r->control);
    if (r->rank != 0)
        return;
    control_receive(&r->machine->clock, times, n + 1, MPI_DOUBLE, r->root, 0, r->control);
    pattern_first_call(r, times[0]);
    for (int i = 1; s != NULL && i <= n; i++)
        series_add_calls(s, times[i], r->calls);
}

static void repeat(struct run *r, const struct op *op, struct series *s, int n)
{
    double times[MAX_SENT + 1];
    control_barrier(&r->machine->clock, r->comm);
    algorithm_toggle(&r->algorithm);
    for (int i = 0; i <= n; i++) {
        int calls = i == 0 ? 1 : r->calls;
        prepare(r, op, calls);
        double time = repetition(r, op, calls);
        if (r->root != 0 && (i == 0 || s != NULL))
            times[i] = time;
        if (i > 0)
            take(r, s, time);
        else if (r->root == 0)
            pattern_first_call(r, time);
    }
    algorithm_toggle(&r->algorithm);
    if (r->root != 0)
        send_from_root(r, s, times, s == NULL ? 0 : n);
}

static int measure(struct run *r, const struct op *op, struct series *s, struct err *e)
{
    int n;
    if (r->warmup > 0)
        repeat(r, op, NULL, r->warmup);
    while ((n = pattern_next_batch(r, s, r->root == 0 ? INT_MAX : MAX_SENT)) > 0)
        repeat(r, op, s, n);
    return 0;
}

const struct pattern col_pattern = {
    PATTERN_INFO(
        "col", "Collective", "Collective operations, by barriers (BM)", 41,
        .variations = VARIES_LENGTH | VARIES_NODES, .traits = PATTERN_TOPOLOGY | PATTERN_OWN_TIMES,
        .options = OPTIONS(OPTION_ENTER, OPTION_LOOP, OPTION_COUNTS), .time = TIME_ROOT_AND_BARRIER,
        .start = START_BARRIER, .processes = "all", .first_call_on = "the root",
        .variants = { [VARIANT_TOGETHER] = &col_together_pattern.info }),
    .measure = measure,
    .node_times = node_times_send_home,
};

/* With enter=together, all processes enter at the same instant of the global clock, and the root's
 * time ends when it leaves the closing barrier. So the time contains that barrier, as above, but
 * not the skew of the barrier before. */
const struct pattern col_together_pattern = {
    VARIANT_INFO(PATTERN_TOPOLOGY | PATTERN_OWN_TIMES, TIME_TOGETHER_AND_BARRIER, ),
    COMMON_START(.servers_only = true, .closing_barrier = true),
    .node_times = node_times_send_home,
};
