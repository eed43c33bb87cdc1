/* Internal measurements (types 50 to 53 and 270): the basis of the other measurements, one row per
 * process. The operations read clocks, which those of src/ops do not, and collect the times of a
 * batch: rank 0 gets times that concern r->at.partner. */
#include "clock/sighting.h"
#include "patterns/op.h"
#include "patterns/p2p.h"
#include "patterns/recorder.h"

#include <math.h>

enum { TAG = 50, CALLS = 1000, DETOUR_COSTS = 10, DETOUR_TICKS = 2 };

static const double WINDOW_S = 2e-3;

/* Sends times that a process measured to rank 0. */
static void hand_over(struct run *r, double *us, int n)
{
    if (r->at.partner == 0)
        return;
    if (r->rank == r->at.partner)
        MPI_Send(us, n, MPI_DOUBLE, 0, TAG, r->control);
    else if (r->rank == 0)
        MPI_Recv(us, n, MPI_DOUBLE, r->at.partner, TAG, r->control, MPI_STATUS_IGNORE);
}

static int measure(struct run *r, const struct op *op, struct series *s, struct err *e)
{
    int n, rc = 0;
    double *us = malloc(MAX_BATCH * sizeof(double));
    if (us == NULL)
        rc = err_no_memory(e, MAX_BATCH * sizeof(double));
    rc = run_agree(r, rc, e);
    while (rc == 0 && (n = pattern_next_batch(r, s, MAX_BATCH)) > 0) {
        op->internal(r, us, n);
        for (int i = 0; i < n && r->rank == 0; i++)
            series_add(s, us[i] * 1e-6);
    }
    free(us);
    return rc;
}

static bool can_measure(const struct op *op)
{
    return op->internal != NULL;
}

/* What a process found in all of a series' windows. Detours: between two readings of the clock, it
 * took much longer than reading takes. */
struct detours {
    double spun_s, lost_s, longest_s, count;
};

enum { LOST, LONGEST, RATE };

static const struct extra_info noise_extra[] = {
    [LOST] = { "lost", NULL, "percent of the time that was lost to detours" },
    [LONGEST] = { "longest", NULL, "the longest detour, in microseconds" },
    [RATE] = { "detours", NULL, "detours per second" },
    { NULL, NULL, NULL },
};

static void conclude(struct run *r, double overhead_us, void *of)
{
    struct detours *d = of;
    (void)overhead_us;
    if (r->suite->type->extra != noise_extra)
        return;
    hand_over(r, (double *)d, sizeof(*d) / sizeof(double));
    if (r->rank != 0 || d->spun_s == 0.0)
        return;
    r->extra[LOST].value = 100.0 * d->lost_s / d->spun_s;
    r->extra[LONGEST].value = 1e6 * d->longest_s;
    r->extra[RATE].value = d->count / d->spun_s;
}

/* One row per process. */
static int partner(const struct machine *m, const struct suite *s, long argument)
{
    (void)m;
    (void)s;
    return (int)argument;
}

const struct pattern internal_pattern = {
    .info = { .prefix = "internal",
              .title = "Internal",
              .section = "Internal measurements",
              .place = 60,
              .variations = VARIES_NONE,
              .traits = PATTERN_PER_PROCESS | PATTERN_GLOBAL_CLOCK,
              .processes = "each one in turn with rank 0",
              .first_call_on = "rank 0" },
    .measure = measure,
    .can_measure = can_measure,
    .recorder = &(const struct recorder){ .bytes = sizeof(struct detours),
                                          .conclude = conclude,
                                          .inside = true },
    .partner = partner,
};

static void timer(struct run *r, double *us, int n)
{
    const struct clock *c = &r->machine->clock;
    for (int i = 0; i < n && r->rank == r->at.partner; i++) {
        double start = c->now();
        for (int call = 1; call < CALLS; call++)
            c->now();
        us[i] = (c->now() - start) / CALLS * 1e6;
    }
    hand_over(r, us, n);
}

/* Returns what detours took of a window, beyond the usual time of a reading. */
static double spin(const struct clock *c, struct detours *d)
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
    d->spun_s += last - begun;
    d->lost_s += lost_s;
    return lost_s;
}

static void noise(struct run *r, double *us, int n)
{
    for (int i = 0; i < n && r->rank == r->at.partner; i++)
        us[i] = spin(&r->machine->clock, r->inside) * 1e6;
    hand_over(r, us, n);
}

static void barrier(struct run *r, double *us, int n)
{
    const struct clock *c = &r->machine->clock;
    MPI_Barrier(r->comm);
    for (int i = 0; i < n; i++) {
        double start = c->now();
        MPI_Barrier(r->comm);
        us[i] = (c->now() - start) * 1e6;
    }
    hand_over(r, us, n);
}

static void latency(struct run *r, double *us, int n)
{
    if (r->rank == 0)
        p2p_ask(r->machine, r->at.partner, us, n);
    else if (r->rank == r->at.partner)
        p2p_echo(r->machine);
}

/* Compares the process's estimate of rank 0's clock with what messages between the two show. */
static void residual(struct run *r, double *us, int n)
{
    const struct machine *m = r->machine;
    for (int i = 0; i < n && (r->rank == 0 || r->rank == r->at.partner); i++) {
        int other = r->rank == 0 ? r->at.partner : 0;
        struct sighting seen = sighting_of(&m->clock, other, r->rank == 0, r->control);
        us[i] = fabs(seen.offset_s - line_offset(&m->global.to_root, seen.at_s)) * 1e6;
    }
    hand_over(r, us, n);
}

#define INTERNAL(number, name, traits, time_, text, operation, ...)                                \
    {                                                                                              \
        .info = { TYPE(name, text, traits), .time = time_, __VA_ARGS__ },                          \
        .in = INTERNAL_TYPE(number), .internal = operation                                         \
    }

static const struct op rows[] = {
    INTERNAL(50, "timer", 0, TIME_CLOCK_READING, "cost of reading the clock, on each process",
             timer, ),
    INTERNAL(51, "barrier", 0, TIME_BARRIER,
             "MPI_Barrier of all processes, as each of them sees it", barrier, ),
    INTERNAL(52, "latency", TYPE_OF_OTHERS, TIME_LATENCY,
             "ping-pong of rank 0 with each process: chooses the partner", latency, ),
    INTERNAL(53, "residual", TYPE_OF_OTHERS, TIME_CLOCK_ERROR,
             "error of the global clock, as messages with rank 0 show it", residual, ),
    INTERNAL(270, "noise", 0, TIME_LOST, "detours from its program, on each process", noise,
             .extra = noise_extra),
};

const struct op_family internal_family = { rows, sizeof(rows) / sizeof(rows[0]) };
