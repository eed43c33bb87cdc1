/* Internal measurements (types 50 to 53, 270 and 271): the basis of the other measurements, one row
 * per process. The operations read clocks, which those of src/ops do not, and collect the times of
 * a batch: rank 0 gets times that concern m->at.partner. */
#include "patterns/noise.h"
#include "patterns/op.h"

enum { TAG = 50, CALLS = 1000 };

enum { LOST, LONGEST, RATE, PERIOD = RATE }; /* types 270 and 271 */

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

static void measure_internal(struct measurement *m, const struct op *op, struct series *s)
{
    double *us;
    int n;
    allocated_array(&us, MAX_BATCH);
    while ((n = pattern_next_batch(m, s, MAX_BATCH)) > 0) {
        op->internal(m, us, n);
        for (int i = 0; i < n && m->rank == 0; i++)
            series_add(s, us[i] * 1e-6);
    }
    free(us);
}

static void conclude_internal(struct measurement *m, double overhead_us, void *of)
{
    struct noise *d = of;
    const struct extra_info *which = m->suite->type->extra; /* one of the lists above, or NULL */
    if (which == NULL)
        return;
    hand_over(m, (double *)d, sizeof(*d) / sizeof(double));
    if (m->rank != 0 || d->looked_s <= 0.0)
        return;
    m->extra[LOST] = noise_lost_percent(d);
    m->extra[LONGEST] = (struct extra_value){ 1e6 * d->longest_s, NAN };
    m->extra[RATE] = (struct extra_value){ d->count / d->looked_s, NAN };
    if (which == quanta_extra)
        m->extra[PERIOD].value = noise_period_us(d);
}

const struct pattern internal_pattern = {
    PATTERN_INFO("internal", "Internal", "Internal measurements", 60, .variations = VARIES_NONE,
                 .traits = PATTERN_PER_PROCESS | PATTERN_GLOBAL_CLOCK,
                 .processes = "each one in turn with rank 0", .first_call_on = "rank 0"),
    .measure = measure_internal,
    .needs = HOOKS_INTERNAL,
    RECORDER(struct noise, 0, .conclude = conclude_internal),
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

LOST_ON_PARTNER(detours, noise_spin)
LOST_ON_PARTNER(quanta, noise_work)

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
        latency_ask(m->resources, m->at.partner, us, n);
    else if (m->rank == m->at.partner)
        latency_answer(m->resources);
}

/* Compares the process's estimate of rank 0's clock with what messages between the two show. */
static void residual(struct measurement *m, double *us, int n)
{
    const struct resources *res = m->resources;
    for (int i = 0; i < n && (m->rank == 0 || m->rank == m->at.partner); i++) {
        int other = m->rank == 0 ? m->at.partner : 0;
        struct sighting seen = sighting_of(&res->clock, other, m->rank == 0, 0.0, m->control);
        us[i] = fabs(seen.offset_s - line_offset(&res->global.to_root, seen.at_s)) * 1e6;
    }
    hand_over(m, us, n);
}

#define INTERNAL(number, name, traits, time_, text, operation, ...)                                \
    OP(name, text, traits, .info.time = time_, .in = { { &internal_pattern, number } },            \
       .internal = operation, __VA_ARGS__)

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
