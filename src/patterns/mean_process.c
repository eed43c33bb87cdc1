/* As OSU and IMB measure (as=osu, as=imb): each process begins when it leaves a barrier, or right
 * after its previous call, and times its own part. A repetition's time is the mean over the
 * processes, or over those that serve; the extra values are those of the process with the shortest
 * and with the longest mean. The first repetitions of a batch, which begin differently, are not. */
#include "model/others.h"
#include "patterns/pairs.h"

enum { SHORTEST, LONGEST };

static const struct extra_info extra[MAX_EXTRA + 1] = {
    [SHORTEST] = { "shortest", "microsec.", "mean of the process whose mean is shortest" },
    [LONGEST] = { "longest", "microsec.", "mean of the process whose mean is longest" },
};

static bool is_timed(const struct measurement *m)
{
    return m->pattern->serves == NULL || m->pattern->serves(m);
}

/* The calls before those that count. If a process is late, a call passes that on: after barriers,
 * for a few times as many calls as these have rounds; in a ring to the neighbours, until all have
 * the pace of the slowest links, which took up to three times as many calls as there are processes.
 * Less of it is left in a long call. OSU omits 200, and 10 beyond 8 KiB. */
static int first_calls(const struct measurement *m, bool after_barrier)
{
    enum { MOST = 64, SHORT = 8192 };
    const int times = m->at.length <= SHORT ? 4 : 1;
    if (after_barrier)
        return 1 + times * (int)ceil(log2(m->size));
    return times * (m->size < MOST ? m->size : MOST);
}

/* Makes n repetitions that count. */
static void repeat(struct measurement *m, const struct op *op, double *us, int n)
{
    const bool after_barrier = !other_of(m->suite)->in_a_row;
    const int shares = suite_shares(m->suite);
    double (*now)(void) = m->resources->clock.now;
    control_barrier(&m->resources->clock, m->control);
    algorithm_toggle(&m->algorithm);
    for (int i = -first_calls(m, after_barrier); i < n; i++) {
        repetition_next(m, op, 1);
        if (after_barrier)
            MPI_Barrier(m->all.comm);
        double start = now();
        pattern_calls(m, op, 1);
        double time = now() - start;
        pattern_first_call(m, NULL, time);
        if (i >= 0)
            us[i] = time / shares * 1e6;
    }
    algorithm_toggle(&m->algorithm);
}

static void measure_processes(struct measurement *m, const struct op *op, struct series *s)
{
    double us[MAX_BATCH];
    int n = m->warmup < MAX_BATCH ? m->warmup : MAX_BATCH;
    if (n > 0)
        repeat(m, op, us, n);
    while ((n = pattern_next_batch(m, s, MAX_BATCH)) > 0) {
        repeat(m, op, us, n);
        const struct clock *c = &m->resources->clock;
        double sums[MAX_BATCH + 1];
        const bool timed = is_timed(m);
        for (int i = 0; i < n; i++) {
            sums[i] = timed ? us[i] : 0.0;
            if (timed)
                values_add(m->recorded, us[i]);
        }
        sums[n] = timed;
        control_reduce(c, sums, n + 1, MPI_DOUBLE, MPI_SUM, m->control);
        for (int i = 0; i < n && m->rank == 0; i++)
            series_add(s, sums[i] / sums[n] * 1e-6);
    }
}

/* A process that is not timed is neither the one nor the other. */
static void conclude_processes(struct measurement *m, double overhead_us, void *of)
{
    const bool timed = is_timed(m);
    struct extra_value own = recorded_mean(m, of); /* of this process */
    extreme_send_home(m, timed ? own.value : INFINITY, MPI_MINLOC, own, overhead_us,
                      &m->extra[SHORTEST]);
    extreme_send_home(m, timed ? own.value : 0.0, MPI_MAXLOC, own, overhead_us, &m->extra[LONGEST]);
}

#define BY_BARRIER(time_)                                                                          \
    .info = { .time = time_, .start = START_BARRIER, .first_call_on = "rank 0", .extra = extra },  \
    .measure = measure_processes, RECORDER(struct values, 1, .conclude = conclude_processes)

const struct pattern mean_process_pattern = { BY_BARRIER(TIME_MEAN_PROCESS) };

const struct pattern mean_pair_pattern = {
    BY_BARRIER(TIME_MEAN_PAIR),
    .needs = HOOKS_SIDES_ALONE,
    .peer = pairs_peer,
    .serves = pairs_serves,
};
