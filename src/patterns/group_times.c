#include "patterns/group_times.h"

void group_times_add(struct group_times *s, double mean_us, double fastest_us, double slowest)
{
    values_add(&s->mean_us, mean_us);
    values_add(&s->fastest_us, fastest_us);
    values_add(&s->slowest, slowest);
}

void group_times_conclude(const struct group_times *s, const struct run *r, double overhead_us,
                          struct extra_value extra[2])
{
    extra[0] = recorded_mean(r, &s->mean_us);
    extra[1] = recorded_mean(r, &s->fastest_us);
    extra[0].value -= overhead_us;
    extra[1].value -= overhead_us;
}

double group_times_slowest(struct group_times *s)
{
    const double *of = s->slowest.list;
    double part = 0.0;
    int most = 0, often = 0;
    stats_sort(s->slowest.list, s->slowest.n);
    for (int i = 0; i < s->slowest.n; i++) {
        often = i > 0 && of[i] <= of[i - 1] ? often + 1 : 1;
        if (often > most) {
            most = often;
            part = of[i];
        }
    }
    return part;
}
