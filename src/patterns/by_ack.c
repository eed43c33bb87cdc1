/* A broadcast measured without a global clock (B. R. de Supinski, N. T. Karonis: Accurately
 * measuring MPI broadcasts in a computational grid, HPDC 1999), to check the synchronised
 * measurement. After each call of the operation, one process sends the root an empty message. The
 * root's time until it arrives, less half of an empty round trip with that process, is the time at
 * which that process finished. A repetition has one call for each process that acknowledges, and
 * one for the root itself; its time is the longest of these.
 *
 * An untimed barrier precedes each call; while a process acknowledges, the others are silent. */
#include "patterns/pattern.h"

enum { EXTRA_ASKED, EXTRA_WAY };

static const struct extra_info extra[MAX_EXTRA + 1] = {
    [EXTRA_ASKED] = { "acknowledged", NULL, "number of processes that acknowledged" },
    [EXTRA_WAY] = { "way", "microsec.",
                    "longest half of an empty round trip, from which acknowledgements may differ" },
};

enum { MAX_ASKED = 16, TAG = 20, ROUND_TRIPS = 16, BARRIERS = 9, LOOKS = 3 };

/* The processes that acknowledge, and the cost of their acknowledgements. */
struct asked {
    int count;
    int ranks[MAX_ASKED];
    /* Half of an empty round trip; valid on rank 0. */
    double way_s[MAX_ASKED];
    struct extra_value longest; /* of them */
    double settle_s; /* this long after a process has left a barrier, all others have left it */
};

static void await_root(const struct measurement *m)
{
    int go = 0;
    control_bcast(&m->resources->clock, &go, 1, MPI_INT, m->control);
}

/* An untimed start: all wait for rank 0, then at a barrier. Rank 0 waits until all others have left
 * the barrier, too, and returns the time at that instant. */
static double start_call(struct measurement *m, const struct asked *a)
{
    const struct clock *c = &m->resources->clock;
    await_root(m);
    MPI_Barrier(m->comm);
    return m->rank == 0 ? clock_wait_until(c, c->now() + a->settle_s) : 0.0;
}

static void await(const struct measurement *m, int rank)
{
    MPI_Recv(NULL, 0, MPI_BYTE, rank, TAG, m->control, MPI_STATUS_IGNORE);
}

/* Makes round trips; the first one is not counted. */
static struct stats round_trips_with(const struct measurement *m, int rank)
{
    double (*now)(void) = m->resources->clock.now;
    double us[ROUND_TRIPS + 1];
    for (int i = 0; i <= ROUND_TRIPS; i++) {
        double start = now();
        MPI_Send(NULL, 0, MPI_BYTE, rank, TAG, m->control);
        await(m, rank);
        us[i] = (now() - start) * 1e6;
    }
    return stats_of(us + 1, ROUND_TRIPS, (struct summing){ 0 });
}

static void learn_ways(struct asked *a, const struct measurement *m)
{
    for (int i = 0; i < a->count; i++) {
        await_root(m);
        if (m->rank == 0) {
            struct stats round_trips = round_trips_with(m, a->ranks[i]);
            double us = round_trips.median_us / 2.0;
            a->way_s[i] = us * 1e-6;
            if (us > a->longest.value)
                a->longest = (struct extra_value){ us, round_trips.cleaned.error_us / 2.0 };
        } else if (m->rank == a->ranks[i]) {
            for (int k = 0; k <= ROUND_TRIPS; k++) {
                await(m, 0);
                MPI_Send(NULL, 0, MPI_BYTE, 0, TAG, m->control);
            }
        }
    }
}

/* Twice the median time of a barrier: no process leaves a barrier later than the next one takes. */
static double settle_time(const struct measurement *m)
{
    double (*now)(void) = m->resources->clock.now;
    double us[BARRIERS];
    for (int i = 0; i < BARRIERS; i++) {
        double start = now();
        MPI_Barrier(m->comm);
        us[i] = (now() - start) * 1e6;
    }
    return 2e-6 * stats_of(us, BARRIERS, (struct summing){ 0 }).median_us;
}

/* Chooses processes, including the first and the last of those other than rank 0. */
static void choose_evenly(struct asked *a, int others, int count)
{
    a->count = count;
    for (int i = 0; i < count; i++)
        a->ranks[i] = count == 1 ? 1 : 1 + i * (others - 1) / (count - 1);
}

/* The time of this process by the global clock, the shortest of a few calls. */
static double finished_after(struct measurement *m, const struct op *op, const struct asked *a)
{
    const struct resources *res = m->resources;
    double shortest_s = INFINITY;
    for (int i = 0; i < LOOKS; i++) {
        repetition_next(m, op, 1);
        double start_s = global_clock_to_global(&res->global, start_call(m, a));
        pattern_calls(m, op, 1);
        double end_s = global_clock_to_global(&res->global, res->clock.now());
        pattern_finalize(m, op);
        MPI_Bcast(&start_s, 1, MPI_DOUBLE, 0, m->control);
        shortest_s = fmin(shortest_s, end_s - start_s);
    }
    return shortest_s;
}

static void add_last(struct asked *a, const struct measurement *m, double finished_s)
{
    bool asked = m->rank == 0;
    for (int i = 0; i < a->count; i++)
        asked = asked || a->ranks[i] == m->rank;
    struct ranked last, own = { asked ? -INFINITY : finished_s, m->rank };
    MPI_Allreduce(&own, &last, 1, MPI_DOUBLE_INT, MPI_MAXLOC, m->control);
    a->ranks[a->count++] = last.rank;
}

/* Asks all other processes if they are at most MAX_ASKED. Otherwise half of those asked are spread
 * evenly over the ranks, and the rest are those that finish last by the global clock, which is used
 * for nothing else. Calls the operation a few times. */
static void choose(struct asked *a, struct measurement *m, const struct op *op)
{
    int others = m->size - 1;
    *a = (struct asked){ .settle_s = settle_time(m) };
    if (others <= MAX_ASKED) {
        choose_evenly(a, others, others);
    } else {
        double finished_s = finished_after(m, op, a);
        choose_evenly(a, others, MAX_ASKED / 2);
        while (a->count < MAX_ASKED)
            add_last(a, m, finished_s);
    }
    learn_ways(a, m);
}

/* One call that a process acknowledges. Returns, on the root, the time until the acknowledgement
 * arrives; if the root itself is that process, until it has finished. */
static double acknowledged_call(struct measurement *m, const struct op *op, const struct asked *a,
                                int rank)
{
    bool at_root = m->rank == 0;
    repetition_next(m, op, 1);
    double start = start_call(m, a);
    pattern_calls(m, op, 1);
    if (at_root && rank != 0)
        await(m, rank);
    else if (!at_root && m->rank == rank)
        MPI_Send(NULL, 0, MPI_BYTE, 0, TAG, m->control);
    double time = at_root ? m->resources->clock.now() - start : 0.0;
    pattern_finalize(m, op);
    return time;
}

/* Makes n repetitions; s is NULL in a warm-up. */
static void repeat(struct measurement *m, const struct op *op, const struct asked *a,
                   struct series *s, int n)
{
    for (int i = 0; i < n; i++) {
        double longest = acknowledged_call(m, op, a, 0);
        for (int k = 0; k < a->count; k++) {
            double time = acknowledged_call(m, op, a, a->ranks[k]) - a->way_s[k];
            longest = time > longest ? time : longest;
        }
        if (s != NULL && m->rank == 0)
            series_add(s, longest);
    }
}

static void measure_by_ack(struct measurement *m, const struct op *op, struct series *s)
{
    struct asked a = { .count = 0 };
    int n;
    pattern_first_call(m, s, acknowledged_call(m, op, &a, 0));
    choose(&a, m, op);
    m->extra[EXTRA_ASKED].value = a.count;
    m->extra[EXTRA_WAY] = a.longest;
    repeat(m, op, &a, NULL, 1 + m->warmup);
    while ((n = pattern_next_batch(m, s, INT_MAX)) > 0)
        repeat(m, op, &a, s, n);
}

const struct pattern by_ack_pattern = {
    PATTERN_INFO("check", "Check", "Checks of the clock", 70,
                 .variations = VARIES_LENGTH | VARIES_NODES, .time = TIME_LAST_ACKNOWLEDGED,
                 .start = START_BARRIER, .processes = "all", .first_call_on = "the root, rank 0",
                 .extra = extra),
    .measure = measure_by_ack,
};
