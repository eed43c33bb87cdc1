#include "patterns/group_times.h"

int group_times_init(struct group_times *s, const struct run *r, struct err *e)
{
    int most = r->suite->max_repetition;
    if (values_init(&s->mean_us, most, e) != 0 || values_init(&s->fastest_us, most, e) != 0)
        return -1;
    return values_init(&s->slowest, most, e);
}

void group_times_release(struct group_times *s)
{
    values_release(&s->mean_us);
    values_release(&s->fastest_us);
    values_release(&s->slowest);
}

void group_times_add(struct group_times *s, double mean_us, double fastest_us, double slowest)
{
    values_add(&s->mean_us, mean_us);
    values_add(&s->fastest_us, fastest_us);
    values_add(&s->slowest, slowest);
}

void group_times_cut(struct group_times *s, int kept)
{
    values_cut(&s->mean_us, kept);
    values_cut(&s->fastest_us, kept);
    values_cut(&s->slowest, kept);
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
