#include "health/health.h"

#include "stats/stats.h"

/* All limits together are wrong in 5 % of cases: those of hosts, and of pairs. */
static const double FAMILY = 0.05 / (HEALTH_KINDS + 2);

/* The standard normal value that is exceeded with this probability. */
static double normal_beyond(double probability)
{
    double low = -10.0, high = 10.0;
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        if (0.5 * erfc(middle / sqrt(2.0)) > probability)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Student's t for a deviation that the lower quartile estimates: it is as exact as a standard
 * deviation of a quarter as many values. The series of Fisher and Cornish. */
double health_critical(int n)
{
    double z = normal_beyond(FAMILY / n), v = 0.25 * n, z2 = z * z;
    return z + z * (z2 + 1.0) / (4.0 * v) + z * (5.0 * z2 * z2 + 16.0 * z2 + 3.0) / (96.0 * v * v) +
           z * (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / (384.0 * v * v * v);
}

/* Adds the logarithm of a time, if there is one. */
static void add(double *list, int *n, double logarithm)
{
    if (isfinite(logarithm))
        list[(*n)++] = logarithm;
}

/* A host's time with the others, the lower of two middle ones: one of few may be a slow host. */
static double typical(const struct health *h, enum health_kind kind, int host, bool receives,
                      double *list)
{
    int n = 0;
    for (int i = 0; i < h->hosts; i++)
        if (i != host)
            add(list, &n, health_pair_time(h, kind, receives ? i : host, receives ? host : i));
    stats_sort(list, n);
    return n == 0 ? NAN : list[(n - 1) / 2];
}

/* The usual value of hosts, or of pairs of a class. */
static double find_reference(const struct health *h, enum health_kind kind, double *list)
{
    bool pairs = health_kinds[kind].pairs;
    int n = 0, others = pairs ? h->hosts : 1;
    for (int i = 0; i < h->hosts; i++)
        for (int j = 0; j < others; j++)
            if (!pairs)
                add(list, &n, log(h->us[kind][i]));
            else if (i != j && health_class_of(h, kind, i, j) == CLASS_WITHIN)
                add(list, &n, log(h->us[kind][i * h->hosts + j]));
    stats_sort(list, n);
    /* The middle of the pairs that are healthy if one host is not. */
    double part = pairs && h->hosts > 2 ? (h->hosts - 2.0) / (2.0 * h->hosts) : 0.5;
    return n == 0 ? NAN : stats_percentile(list, n, part);
}

static void find_excesses(struct health *h, enum health_kind kind, double *list)
{
    struct health_level *l = &h->levels[kind];
    for (int i = 0; i < h->hosts; i++) {
        bool pairs = health_kinds[kind].pairs;
        double own = h->us[kind][i] > 0.0 ? log(h->us[kind][i]) : NAN;
        l->from[i] = (pairs ? typical(h, kind, i, false, list) : own) - l->reference;
        l->to[i] = pairs ? typical(h, kind, i, true, list) - l->reference : l->from[i];
    }
}

/* The limit of n values in the list, of which the slow ones do not count for the deviation: what
 * they differ by below their median. Few hosts do not show a large one. */
static double limit_of(const struct health_kind_info *k, double *list, int n, int hosts)
{
    static const double QUARTER = 0.6745;
    if (hosts < HEALTH_FEW_HOSTS || n < HEALTH_FEW_HOSTS)
        return log(k->few);
    double median = stats_median(list, n);
    double deviation = (median - stats_percentile(list, n, 0.25)) / QUARTER;
    double limit = fmax(log(k->least), median + health_critical(n) * deviation);
    return hosts < HEALTH_SURE_HOSTS ? fmin(limit, log(k->few)) : limit;
}

static void find_limits(struct health *h, enum health_kind kind, double *list)
{
    struct health_level *l = &h->levels[kind];
    const struct health_kind_info *k = &health_kinds[kind];
    int n = 0, directions = kind == HEALTH_LONG ? 2 : 1, hosts = h->hosts;
    for (int i = 0; i < hosts; i++)
        for (int d = 0; d < directions; d++)
            add(list, &n, health_excess(h, kind, i, d == 1));
    l->host_limit = limit_of(k, list, n, hosts);
    for (int class = 0; class < HEALTH_CLASSES && k->pairs; class ++) {
        n = 0;
        for (int i = 0; i < hosts; i++)
            for (int j = 0; j < hosts; j++)
                if (i != j && l->from[i] <= l->host_limit && l->to[j] <= l->host_limit &&
                    (int)health_class_of(h, kind, i, j) == class)
                    add(list, &n,
                        health_pair_time(h, kind, i, j) - l->reference - l->from[i] - l->to[j]);
        l->pair_limit[class] = limit_of(k, list, n, hosts);
    }
}

void health_find_levels(struct health *h)
{
    double *list;
    allocated_array(&list, (size_t)h->hosts * (size_t)h->hosts);
    for (enum health_kind k = 0; k < HEALTH_KINDS; k++) {
        if (health_kinds[k].pairs)
            health_find_groups(h, k, list);
        h->levels[k].reference = find_reference(h, k, list);
        find_excesses(h, k, list);
        find_limits(h, k, list);
    }
    free(list);
}
