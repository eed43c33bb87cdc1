/* Internal measurements (types 50 to 53, 270 and 271): the basis of the other measurements, one row
 * per process. The operations read clocks, which those of src/ops do not, and collect the times of
 * a batch: rank 0 gets times that concern r->at.partner. */
#include "clock/sighting.h"
#include "patterns/noise.h"
#include "patterns/p2p.h"
#include "patterns/recorder.h"

#include <math.h>

enum { TAG = 50, CALLS = 1000 };

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

static void conclude(struct run *r, double overhead_us, void *of)
{
    struct noise *d = of;
    (void)overhead_us;
    if (r->suite->type->extra == NULL)
        return;
    hand_over(r, (double *)d, sizeof(*d) / sizeof(double));
    if (r->rank == 0 && d->looked_s > 0.0)
        noise_conclude(d, r->suite->type->extra, r->extra);
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
    .recorder = &(const struct recorder){ .bytes = sizeof(struct noise),
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

static void detours(struct run *r, double *us, int n)
{
    if (r->rank == r->at.partner)
        noise_detours(r->inside, &r->machine->clock, us, n);
    hand_over(r, us, n);
}

static void quanta(struct run *r, double *us, int n)
{
    if (r->rank == r->at.partner)
        noise_quanta(r->inside, &r->machine->clock, us, n);
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
    INTERNAL(270, "noise", 0, TIME_LOST, "detours from its program, on each process", detours,
             .extra = detours_extra),
    INTERNAL(271, "quanta", 0, TIME_MISSING,
             "work that quanta of time lack, on each process: shows periods", quanta,
             .extra = quanta_extra),
};

const struct op_family internal_family = { rows, sizeof(rows) / sizeof(rows[0]) };
