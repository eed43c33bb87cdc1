#include "clock/global_clock.h"

#include "stats/stats.h"

enum { BARRIERS = 3 };

static const double AHEAD_S = 20e-6;

/* How far ahead a start is agreed on: long enough for all processes to receive the instant. Derived
 * from the fastest of a few barriers. */
static double lead_time(const struct global_clock *g)
{
    double fastest_s = 0.0;
    for (int i = 0; i < BARRIERS; i++) {
        double start_s = g->clock->now();
        MPI_Barrier(g->all);
        double took_s = g->clock->now() - start_s;
        fastest_s = i == 0 || took_s < fastest_s ? took_s : fastest_s;
    }
    return BARRIERS * fastest_s + AHEAD_S;
}

/* One start, agreed on after a barrier; returns how late this process was. */
static double start_late(const struct global_clock *g, double lead_s)
{
    MPI_Barrier(g->all);
    double agreed_s = global_clock_to_global(g, g->clock->now()) + lead_s;
    MPI_Bcast(&agreed_s, 1, MPI_DOUBLE, 0, g->all);
    double started_s = clock_wait_until(g->clock, global_clock_to_local(g, agreed_s));
    return global_clock_to_global(g, started_s) - agreed_s;
}

struct start_skew start_skew_measure(const struct global_clock *g)
{
    enum { STARTS = START_SKEW_STARTS };
    double earliest[STARTS] = { 0 }, latest[STARTS] = { 0 }, own[STARTS]; /* valid on rank 0 */
    double lead_s = lead_time(g);
    for (int i = 0; i < STARTS; i++)
        own[i] = start_late(g, lead_s);
    MPI_Allreduce(own, latest, STARTS, MPI_DOUBLE, MPI_MAX, g->all);
    MPI_Allreduce(own, earliest, STARTS, MPI_DOUBLE, MPI_MIN, g->all);
    for (int i = 0; i < STARTS; i++)
        own[i] = (latest[i] - earliest[i]) * 1e6;
    struct stats stats = stats_of(own, STARTS, (struct summing){ 0 });
    return (struct start_skew){ stats.median_us, stats.p25_us, stats.p75_us };
}
