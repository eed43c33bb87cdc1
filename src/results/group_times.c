#include "results/group_times.h"

void group_times_add(struct group_times *g, double mean_us, double fastest_us, double slowest)
{
    values_add(&g->mean_us, mean_us);
    values_add(&g->fastest_us, fastest_us);
    values_add(&g->slowest, slowest);
}

void group_times_conclude(const struct group_times *g, struct summing how, double overhead_us,
                          struct extra_value extra[2])
{
    extra[0] = extra_mean(&g->mean_us, how);
    extra[1] = extra_mean(&g->fastest_us, how);
    extra[0].value -= overhead_us;
    extra[1].value -= overhead_us;
}

double group_times_slowest(struct group_times *g)
{
    const double *of = g->slowest.list;
    double part = 0.0;
    int most = 0, often = 0;
    stats_sort(g->slowest.list, g->slowest.n);
    for (int i = 0; i < g->slowest.n; i++) {
        often = i > 0 && of[i] <= of[i - 1] ? often + 1 : 1;
        if (often > most) {
            most = often;
            part = of[i];
        }
    }
    return part;
}
