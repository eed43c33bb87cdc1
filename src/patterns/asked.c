#include "patterns/asked.h"

#include "patterns/pattern.h"

#include <math.h>

enum { ROUND_TRIPS = 16, BARRIERS = 9, LOOKS = 3 };

/* All wait for rank 0 without sending anything. */
static void await_root(const struct run *r)
{
    int go = 0;
    control_bcast(&r->machine->clock, &go, 1, MPI_INT, r->control);
}

double asked_start(struct run *r, const struct asked *a)
{
    const struct clock *c = &r->machine->clock;
    await_root(r);
    MPI_Barrier(r->comm);
    return r->rank == 0 ? clock_wait_until(c, c->now() + a->settle_s) : 0.0;
}

void asked_acknowledge(const struct run *r)
{
    MPI_Send(NULL, 0, MPI_BYTE, 0, ASKED_TAG, r->control);
}

void asked_await(const struct run *r, int rank)
{
    MPI_Recv(NULL, 0, MPI_BYTE, rank, ASKED_TAG, r->control, MPI_STATUS_IGNORE);
}

/* The first one is not counted. */
static struct stats round_trips_with(const struct run *r, int rank)
{
    double (*now)(void) = r->machine->clock.now;
    double us[ROUND_TRIPS + 1];
    for (int i = 0; i <= ROUND_TRIPS; i++) {
        double start = now();
        MPI_Send(NULL, 0, MPI_BYTE, rank, ASKED_TAG, r->control);
        asked_await(r, rank);
        us[i] = (now() - start) * 1e6;
    }
    return stats_of(us + 1, ROUND_TRIPS, (struct summing){ 0 });
}

static void echo(const struct run *r)
{
    for (int i = 0; i <= ROUND_TRIPS; i++) {
        asked_await(r, 0);
        asked_acknowledge(r);
    }
}

static void keep_way(struct asked *a, int i, const struct stats *round_trips)
{
    double us = round_trips->median_us / 2.0;
    a->way_s[i] = us * 1e-6;
    if (us <= a->longest_us)
        return;
    a->longest_us = us;
    a->longest_error_us = round_trips->cleaned.error_us / 2.0;
}

static void learn_ways(struct asked *a, const struct run *r)
{
    for (int i = 0; i < a->count; i++) {
        await_root(r);
        if (r->rank == 0) {
            struct stats round_trips = round_trips_with(r, a->ranks[i]);
            keep_way(a, i, &round_trips);
        } else if (r->rank == a->ranks[i]) {
            echo(r);
        }
    }
}

/* Twice the median time of a barrier: no process leaves a barrier later than the next one takes. */
static double settle_time(const struct run *r)
{
    double (*now)(void) = r->machine->clock.now;
    double us[BARRIERS];
    for (int i = 0; i < BARRIERS; i++) {
        double start = now();
        MPI_Barrier(r->comm);
        us[i] = (now() - start) * 1e6;
    }
    return 2e-6 * stats_of(us, BARRIERS, (struct summing){ 0 }).median_us;
}

/* Includes the first and the last of the processes other than rank 0. */
static void choose_evenly(struct asked *a, int others, int count)
{
    a->count = count;
    for (int i = 0; i < count; i++)
        a->ranks[i] = count == 1 ? 1 : 1 + i * (others - 1) / (count - 1);
}

/* The time of this process by the global clock, the shortest of a few calls. */
static double finished_after(struct run *r, const struct op *op, const struct asked *a)
{
    const struct machine *m = r->machine;
    double shortest_s = INFINITY;
    for (int i = 0; i < LOOKS; i++) {
        repetition_next(r, op, 1);
        double start_s = global_clock_to_global(&m->global, asked_start(r, a));
        pattern_calls(r, op, 1);
        double end_s = global_clock_to_global(&m->global, m->clock.now());
        pattern_finalize(r, op);
        MPI_Bcast(&start_s, 1, MPI_DOUBLE, 0, r->control);
        shortest_s = fmin(shortest_s, end_s - start_s);
    }
    return shortest_s;
}

static bool is_asked(const struct asked *a, int rank)
{
    for (int i = 0; i < a->count; i++)
        if (a->ranks[i] == rank)
            return true;
    return rank == 0;
}

static void add_last(struct asked *a, const struct run *r, double finished_s)
{
    struct {
        double s;
        int rank;
    } own = { is_asked(a, r->rank) ? -INFINITY : finished_s, r->rank }, last;
    MPI_Allreduce(&own, &last, 1, MPI_DOUBLE_INT, MPI_MAXLOC, r->control);
    a->ranks[a->count++] = last.rank;
}

void asked_choose(struct asked *a, struct run *r, const struct op *op)
{
    int others = r->size - 1;
    *a = (struct asked){ .settle_s = settle_time(r) };
    if (others <= MAX_ASKED) {
        choose_evenly(a, others, others);
    } else {
        double finished_s = finished_after(r, op, a);
        choose_evenly(a, others, MAX_ASKED / 2);
        while (a->count < MAX_ASKED)
            add_last(a, r, finished_s);
    }
    learn_ways(a, r);
}
