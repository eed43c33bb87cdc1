#include "clock/start_skew.h"

#include "stats/stats.h"

enum { STARTS = 21 };

static const double APART_S = 20e-6;

/* Enough for all to learn of the first start: what three barriers took. */
static double lead_time(const struct global_clock *g)
{
    double start_s = g->clock->now();
    for (int i = 0; i < 3; i++)
        MPI_Barrier(g->all);
    return g->clock->now() - start_s + APART_S;
}

double start_skew_us(const struct global_clock *g)
{
    double earliest[STARTS] = { 0 }, latest[STARTS] = { 0 }, own[STARTS]; /* rank 0 learns them */
    double lead_s = lead_time(g);
    double first_s = global_clock_to_global(g, g->clock->now()) + lead_s;
    MPI_Bcast(&first_s, 1, MPI_DOUBLE, 0, g->all);
    for (int i = 0; i < STARTS; i++) {
        double agreed_s = first_s + i * APART_S;
        double started_s = clock_wait_until(g->clock, global_clock_to_local(g, agreed_s));
        own[i] = global_clock_to_global(g, started_s) - agreed_s;
    }
    MPI_Reduce(own, latest, STARTS, MPI_DOUBLE, MPI_MAX, 0, g->all);
    MPI_Reduce(own, earliest, STARTS, MPI_DOUBLE, MPI_MIN, 0, g->all);
    for (int i = 0; i < STARTS; i++)
        own[i] = (latest[i] - earliest[i]) * 1e6;
    return stats_of(own, STARTS, 0.0).median_us;
}
