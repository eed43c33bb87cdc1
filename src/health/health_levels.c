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
double health_critical(int n, int tests)
{
    double z = normal_beyond(FAMILY / tests), v = 0.25 * n, z2 = z * z;
    return z + z * (z2 + 1.0) / (4.0 * v) + z * (5.0 * z2 * z2 + 16.0 * z2 + 3.0) / (96.0 * v * v) +
           z * (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / (384.0 * v * v * v);
}

/* The quantile of sorted values, of which slow ones may be many. */
static double quantile(const double *sorted, int n, double part)
{
    return n == 0 ? NAN : stats_percentile(sorted, n, part);
}

/* Adds the logarithm of a time, if there is one. */
static void add(double *list, int *n, double us)
{
    if (us > 0.0)
        list[(*n)++] = log(us);
}

/* A host's time with the others, the lower of two middle ones: one of few may be a slow host. */
static double typical(const struct health *h, enum health_kind kind, int host, bool receives,
                      double *list)
{
    int n = 0;
    for (int i = 0; i < h->hosts; i++) {
        if (i != host)
            add(list, &n, h->us[kind][receives ? i * h->hosts + host : host * h->hosts + i]);
    }
    stats_sort(list, n);
    return n == 0 ? NAN : list[(n - 1) / 2];
}

static void find_reference(struct health *h, enum health_kind kind, double *list)
{
    struct health_level *l = &h->levels[kind];
    bool pairs = health_kinds[kind].pairs;
    int n = 0, all = pairs ? h->hosts * h->hosts : h->hosts;
    for (int i = 0; i < all; i++)
        if (!pairs || i / h->hosts != i % h->hosts)
            add(list, &n, h->us[kind][i]);
    stats_sort(list, n);
    /* The middle of the pairs that are healthy if one host is not. */
    l->reference =
        quantile(list, n, pairs && h->hosts > 2 ? (h->hosts - 2.0) / (2.0 * h->hosts) : 0.5);
}

static void find_excesses(struct health *h, enum health_kind kind, double *list)
{
    struct health_level *l = &h->levels[kind];
    for (int i = 0; i < h->hosts; i++) {
        bool pairs = health_kinds[kind].pairs;
        double us = h->us[kind][i];
        l->from[i] = (pairs      ? typical(h, kind, i, false, list)
                      : us > 0.0 ? log(us)
                                 : NAN) -
                     l->reference;
        l->to[i] = pairs ? typical(h, kind, i, true, list) - l->reference : l->from[i];
    }
}

/* The limit of n values in the list, of which the slow ones do not count for the deviation: what
 * they differ by below their median. */
static double limit_of(const struct health_kind_info *k, double *list, int n, int hosts, int tests)
{
    static const double QUARTER = 0.6745;
    if (hosts < HEALTH_FEW_HOSTS || n < HEALTH_FEW_HOSTS)
        return log(k->few);
    stats_sort(list, n);
    double median = quantile(list, n, 0.5);
    double deviation = (median - quantile(list, n, 0.25)) / QUARTER;
    return fmax(log(k->least), median + health_critical(n, tests) * deviation);
}

static void find_limits(struct health *h, enum health_kind kind, double *list)
{
    struct health_level *l = &h->levels[kind];
    const struct health_kind_info *k = &health_kinds[kind];
    int n = 0, directions = kind == HEALTH_LONG ? 2 : 1, hosts = h->hosts;
    for (int i = 0; i < hosts; i++)
        for (int d = 0; d < directions; d++)
            if (isfinite(health_excess(h, kind, i, d == 1)))
                list[n++] = health_excess(h, kind, i, d == 1);
    l->host_limit = limit_of(k, list, n, hosts, n);
    n = 0;
    for (int i = 0; i < hosts && k->pairs; i++)
        for (int j = 0; j < hosts; j++) {
            double us = h->us[kind][i * hosts + j];
            if (us > 0.0 && l->from[i] <= l->host_limit && l->to[j] <= l->host_limit && i != j)
                list[n++] = log(us) - l->reference - l->from[i] - l->to[j];
        }
    l->pair_limit = limit_of(k, list, n, hosts, n);
}

void health_find_levels(struct health *h)
{
    double *list = malloc(((size_t)h->hosts * (size_t)h->hosts + 1) * sizeof(*list));
    for (int k = 0; k < HEALTH_KINDS && list != NULL; k++) {
        find_reference(h, k, list);
        find_excesses(h, k, list);
        find_limits(h, k, list);
    }
    free(list);
}
