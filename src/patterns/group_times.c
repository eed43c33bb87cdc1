#include "patterns/group_times.h"

#include "stats/stats.h"

#include <stdlib.h>

int group_times_init(struct group_times *s, const struct run *r, struct err *e)
{
    size_t most = (size_t)r->suite->max_repetition;
    *s = (struct group_times){ .most = r->suite->max_repetition };
    s->mean_us = malloc(2 * most * sizeof(double));
    s->slowest = malloc(most * sizeof(*s->slowest));
    if (s->mean_us == NULL || s->slowest == NULL)
        return err_no_memory(e, most * (2 * sizeof(double) + sizeof(*s->slowest)));
    s->fastest_us = s->mean_us + most;
    return 0;
}

void group_times_release(struct group_times *s)
{
    free(s->mean_us);
    free(s->slowest);
    *s = (struct group_times){ 0 };
}

int group_times_add(struct group_times *s, double mean_us, double fastest_us, int64_t slowest)
{
    if (s->n == s->most)
        return -1;
    s->mean_us[s->n] = mean_us;
    s->fastest_us[s->n] = fastest_us;
    s->slowest[s->n] = slowest;
    return s->n++;
}

void group_times_cut(struct group_times *s, int kept)
{
    s->n = kept < s->n ? kept : s->n;
}

static struct extra_value cleaned(double *us, const struct group_times *s, const struct run *r,
                                  double overhead_us)
{
    struct summing how = { r->suite->cut_quantile, r->suite->options.error, 0.0 };
    struct stats all = stats_of(us, s->n, how);
    return (struct extra_value){ all.cleaned.mean_us - overhead_us, all.cleaned.error_us };
}

struct extra_value group_times_mean(struct group_times *s, const struct run *r, double overhead_us)
{
    return cleaned(s->mean_us, s, r, overhead_us);
}

struct extra_value group_times_fastest(struct group_times *s, const struct run *r,
                                       double overhead_us)
{
    return cleaned(s->fastest_us, s, r, overhead_us);
}

static int by_part(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

int64_t group_times_slowest(struct group_times *s)
{
    int most = 0, often = 0;
    int64_t part = 0;
    qsort(s->slowest, (size_t)s->n, sizeof(*s->slowest), by_part);
    for (int i = 0; i < s->n; i++) {
        often = i > 0 && s->slowest[i] == s->slowest[i - 1] ? often + 1 : 1;
        if (often > most) {
            most = often;
            part = s->slowest[i];
        }
    }
    return part;
}
