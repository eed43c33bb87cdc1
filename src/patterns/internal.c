/* Internal measurements (types 50 to 53, 270 and 271): the basis of the other measurements, one row
 * per process. The operations read clocks, which those of src/ops do not, and collect the times of
 * a batch: rank 0 gets times that concern m->at.partner. */
#include "patterns/op.h"
#include "patterns/recorder.h"

enum { TAG = 50, CALLS = 1000 };

/* --- what takes the core from a process: types 270 and 271 --- */

enum { QUANTA = 512, QUANTA_LAGS = QUANTA / 2 };

struct noise {
    double looks, looked_s, lost_s, squares; /* of what was lost in each look, for its scatter */
    double longest_s, count;   /* of detours; of quanta: the most in a row, and how many lost */
    double pairs[QUANTA_LAGS]; /* by distance: the correlation of quanta that lost */
};

/* Detours: between two readings of the clock, it took much longer than reading takes. Readings are
 * the work of quanta. */
enum { DETOUR_COSTS = 10, DETOUR_TICKS = 2, HIT_READINGS = 3, HITS_LEAST = 10 };

static const double WINDOW_S = 2e-3, QUANTUM_S = 50e-6;
static const double HIT_PART = 0.01; /* of a quantum's work that is missing */

/* A period has at least this part of the correlation at no distance; its first peak, of the
 * highest. */
static const double SURE_PART = 0.5, FIRST_PART = 0.5;

enum { LOST, LONGEST, RATE, PERIOD = RATE };

static const struct extra_info detours_extra[MAX_EXTRA + 1] = {
    [LOST] = { "lost", "%", "of the time, taken by detours" },
    [LONGEST] = { "longest", "microsec.", "the longest detour" },
    [RATE] = { "detours", NULL, "detours per second" },
};

static const struct extra_info quanta_extra[MAX_EXTRA + 1] = {
    [LOST] = { "lost", "%", "of the work, missing in the quanta" },
    [LONGEST] = { "longest", "microsec.", "the most that quanta in a row lack" },
    [PERIOD] = { "period", "microsec.", "of what takes the work, if it has one" },
};

static double look_end(struct noise *d, double looked_s, double lost_s)
{
    d->looks += 1.0;
    d->looked_s += looked_s;
    d->lost_s += lost_s;
    d->squares += lost_s * lost_s;
    return lost_s;
}

/* Reads the clock for a while. Returns the time of detours, beyond the usual time of a reading. */
static double spin(const struct clock *c, struct noise *d)
{
    const double least_s = DETOUR_COSTS * c->cost_s + DETOUR_TICKS * c->tick_s;
    double begun = c->now(), last = begun, lost_s = 0.0;
    while (last - begun < WINDOW_S) {
        double now = c->now(), detour_s = now - last - c->cost_s;
        if (detour_s > least_s) {
            lost_s += detour_s;
            d->longest_s = fmax(d->longest_s, detour_s);
            d->count += 1.0;
        }
        last = now;
    }
    return look_end(d, last - begun, lost_s);
}

/* Works in quanta without a gap between them, however long a detour takes. */
static void work_in_quanta(const struct clock *c, double *work)
{
    double begun = c->now(), now = begun;
    for (int i = 0; i < QUANTA; i++) {
        work[i] = 0.0;
        for (double end = begun + (i + 1) * QUANTUM_S; now < end; now = c->now())
            work[i] += 1.0;
    }
}

/* The least undisturbed work of a quantum. The middle of the upper half is undisturbed. */
static double least_work(const double *work)
{
    double sorted[QUANTA];
    memcpy(sorted, work, sizeof(sorted));
    stats_sort(sorted, QUANTA);
    double usual = sorted[QUANTA * 3 / 4];
    return usual - fmax(HIT_READINGS, HIT_PART * usual);
}

/* Adds the correlation of quanta that were hit (1) with those that many later. */
static void correlate(const double *hit, double hits, double *pairs)
{
    const double mean = hits / QUANTA;
    for (int lag = 0; lag < QUANTA_LAGS; lag++) {
        double sum = 0.0;
        for (int i = 0; i + lag < QUANTA; i++)
            sum += (hit[i] - mean) * (hit[i + lag] - mean);
        pairs[lag] += sum / (QUANTA - lag);
    }
}

/* Returns the time that quanta lack of undisturbed work. */
static double work_once(const struct clock *c, struct noise *d)
{
    double work[QUANTA], sum = 0.0, lost_s = 0.0, hits = 0.0, in_a_row_s = 0.0;
    work_in_quanta(c, work);
    const double least = least_work(work);
    for (int i = 0; i < QUANTA; i++) {
        hits += work[i] < least;
        sum += work[i] < least ? 0.0 : work[i];
    }
    const double usual = sum / (QUANTA - hits);
    for (int i = 0; i < QUANTA; i++) {
        double missing_s = work[i] < least ? (1.0 - work[i] / usual) * QUANTUM_S : 0.0;
        in_a_row_s = missing_s > 0.0 ? in_a_row_s + missing_s : 0.0;
        d->longest_s = fmax(d->longest_s, in_a_row_s);
        lost_s += missing_s;
        work[i] = work[i] < least;
    }
    correlate(work, hits, d->pairs);
    d->count += hits;
    return look_end(d, QUANTA * QUANTUM_S, lost_s);
}

/* A detour that reaches into the next quantum, or a period between two lags, hits both. */
static double smoothed(const double *pairs, int lag)
{
    return pairs[lag > 0 ? lag - 1 : 1] + 2.0 * pairs[lag] + pairs[lag + 1];
}

/* The highest correlation near a lag; at the tip of a parabola through it and its neighbours. */
static double peak_near(const double *pairs, int lag)
{
    for (int near = lag - 1; near <= lag + 1 && near < QUANTA_LAGS - 2; near++)
        if (smoothed(pairs, near) > smoothed(pairs, lag))
            lag = near;
    double before = smoothed(pairs, lag - 1), after = smoothed(pairs, lag + 1);
    double bent = before - 2.0 * smoothed(pairs, lag) + after;
    return lag + (bent < 0.0 ? 0.5 * (before - after) / bent : 0.0);
}

/* The period in quanta; NaN without one. Multiples of the period are more accurate. */
static double period_of(const double *pairs)
{
    const int end = QUANTA_LAGS - 3;
    double most = 0.0;
    int first = 1;
    while (first < end && smoothed(pairs, first + 1) <= smoothed(pairs, first))
        first++;
    for (int lag = first; lag < end; lag++)
        most = fmax(most, smoothed(pairs, lag));
    if (most <= 0.0 || most < SURE_PART * smoothed(pairs, 0))
        return NAN;
    while (smoothed(pairs, first) < FIRST_PART * most)
        first++;
    double period = peak_near(pairs, first);
    for (int i = 2; period >= 2.0 && i * period < end; i++)
        period = peak_near(pairs, (int)lround(i * period)) / i;
    return period;
}

/* The mean of the looks, and its standard error. */
static struct extra_value lost_percent(const struct noise *d)
{
    const double each_s = d->looked_s / d->looks, mean_s = d->lost_s / d->looks;
    const double variance = fmax(0.0, d->squares / d->looks - mean_s * mean_s) / (d->looks - 1.0);
    return (struct extra_value){ 100.0 * mean_s / each_s, 100.0 * sqrt(variance) / each_s };
}

/* --- the pattern --- */

/* Sends times that a process measured to rank 0. */
static void hand_over(struct measurement *m, double *us, int n)
{
    if (m->at.partner == 0)
        return;
    if (m->rank == m->at.partner)
        MPI_Send(us, n, MPI_DOUBLE, 0, TAG, m->control);
    else if (m->rank == 0)
        MPI_Recv(us, n, MPI_DOUBLE, m->at.partner, TAG, m->control, MPI_STATUS_IGNORE);
}

static int measure(struct measurement *m, const struct op *op, struct series *s, struct err *e)
{
    int n, rc = 0;
    double *us = malloc(MAX_BATCH * sizeof(double));
    if (us == NULL)
        rc = err_no_memory(e, MAX_BATCH * sizeof(double));
    rc = measurement_agree(m, rc, e);
    while (rc == 0 && (n = pattern_next_batch(m, s, MAX_BATCH)) > 0) {
        op->internal(m, us, n);
        for (int i = 0; i < n && m->rank == 0; i++)
            series_add(s, us[i] * 1e-6);
    }
    free(us);
    return rc;
}

static bool can_measure(const struct op *op)
{
    return op->internal != NULL;
}

static void conclude(struct measurement *m, double overhead_us, void *of)
{
    struct noise *d = of;
    const struct extra_info *which = m->suite->type->extra; /* one of the lists above, or NULL */
    if (which == NULL)
        return;
    hand_over(m, (double *)d, sizeof(*d) / sizeof(double));
    if (m->rank != 0 || d->looked_s <= 0.0)
        return;
    m->extra[LOST] = lost_percent(d);
    m->extra[LONGEST] = (struct extra_value){ 1e6 * d->longest_s, NAN };
    m->extra[RATE] = (struct extra_value){ d->count / d->looked_s, NAN };
    if (which == quanta_extra)
        m->extra[PERIOD].value =
            d->count < HITS_LEAST ? NAN : 1e6 * QUANTUM_S * period_of(d->pairs);
}

const struct pattern internal_pattern = {
    PATTERN_INFO("internal", "Internal", "Internal measurements", 60, .variations = VARIES_NONE,
                 .traits = PATTERN_PER_PROCESS | PATTERN_GLOBAL_CLOCK,
                 .processes = "each one in turn with rank 0", .first_call_on = "rank 0"),
    .measure = measure,
    .can_measure = can_measure,
    RECORDER(struct noise, 0, .conclude = conclude),
};

static void timer(struct measurement *m, double *us, int n)
{
    const struct clock *c = &m->resources->clock;
    for (int i = 0; i < n && m->rank == m->at.partner; i++) {
        double start = c->now();
        for (int call = 1; call < CALLS; call++)
            c->now();
        us[i] = (c->now() - start) / CALLS * 1e6;
    }
    hand_over(m, us, n);
}

#define LOST_ON_PARTNER(function, look)                                                            \
    static void function(struct measurement *m, double *us, int n)                                 \
    {                                                                                              \
        for (int i = 0; i < n && m->rank == m->at.partner; i++)                                    \
            us[i] = look(&m->resources->clock, m->recorded) * 1e6;                                 \
        hand_over(m, us, n);                                                                       \
    }

LOST_ON_PARTNER(detours, spin)
LOST_ON_PARTNER(quanta, work_once)

static void barrier(struct measurement *m, double *us, int n)
{
    const struct clock *c = &m->resources->clock;
    MPI_Barrier(m->comm);
    for (int i = 0; i < n; i++) {
        double start = c->now();
        MPI_Barrier(m->comm);
        us[i] = (c->now() - start) * 1e6;
    }
    hand_over(m, us, n);
}

static void latency(struct measurement *m, double *us, int n)
{
    if (m->rank == 0)
        p2p_ask(m->resources, m->at.partner, us, n);
    else if (m->rank == m->at.partner)
        p2p_echo(m->resources);
}

/* Compares the process's estimate of rank 0's clock with what messages between the two show. */
static void residual(struct measurement *m, double *us, int n)
{
    const struct resources *res = m->resources;
    for (int i = 0; i < n && (m->rank == 0 || m->rank == m->at.partner); i++) {
        int other = m->rank == 0 ? m->at.partner : 0;
        struct sighting seen = sighting_of(&res->clock, other, m->rank == 0, m->control);
        us[i] = fabs(seen.offset_s - line_offset(&res->global.to_root, seen.at_s)) * 1e6;
    }
    hand_over(m, us, n);
}

#define INTERNAL(number, name, traits, time_, text, operation, ...)                                \
    OP(name, text, traits, .info.time = time_, .in = INTERNAL_TYPE(number), .internal = operation, \
       __VA_ARGS__)

static const struct op rows[] = {
    INTERNAL(50, "timer", 0, TIME_CLOCK_READING, "cost of reading the clock, on each process",
             timer, ),
    INTERNAL(51, "barrier", 0, TIME_BARRIER,
             "MPI_Barrier of all processes, as each of them sees it", barrier, ),
    INTERNAL(52, "latency", TYPE_OF_OTHERS, TIME_LATENCY,
             "ping-pong of rank 0 with each process: chooses the partner", latency, ),
    INTERNAL(53, "residual", TYPE_OF_OTHERS, TIME_CLOCK_ERROR,
             "error of the global clock, as messages with rank 0 show it", residual, ),
    INTERNAL(270, "noise", 0, TIME_LOST, "detours from its program, on each process", detours,
             .info.extra = detours_extra, .info.needs = NEEDS_OWN_TIME),
    INTERNAL(271, "quanta", 0, TIME_MISSING,
             "work that quanta of time lack, on each process: shows periods", quanta,
             .info.extra = quanta_extra, .info.needs = NEEDS_OWN_TIME),
};

OP_FAMILY(internal_family, rows);
