#include "model/spreading.h"

#include "model/permutation.h"

#include <math.h>

/* Parts of sparse spreads are as far apart as possible; the first one is chosen. */
static bool is_chosen(int i, int n, long chosen)
{
    return i * chosen % n < chosen;
}

/* From 0 to below 1, by chance. */
static double by_chance(long seed, int i)
{
    return (double)(permutation_key((uint64_t)seed, (uint64_t)i) >> 11) * 0x1p-53;
}

/* Of part i of n, relative to the others. */
static double weight(const struct suite_options *x, int n, int i)
{
    double share = (double)x->spread_number / 100.0;
    switch (x->spread) {
    case SPREAD_LINEAR:
        return n - i;
    case SPREAD_GEOMETRIC:
        return pow((double)x->spread_number, -i);
    case SPREAD_ONE_LARGE:
        return n == 1 || i == 0 ? share : (1.0 - share) / (n - 1);
    case SPREAD_SPARSE:
        return is_chosen(i, n, x->spread_number < n ? x->spread_number : n);
    case SPREAD_RANDOM:
        return by_chance(x->spread_number, i);
    default:
        return 1.0;
    }
}

static double sum_of_weights(const struct suite_options *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += weight(x, n, i);
    return sum;
}

void spread_divide(const struct suite_options *x, int n, long total, int *counts, int *begins)
{
    double sum = sum_of_weights(x, n), before = 0.0;
    long begin = 0;
    for (int i = 0; i < n; i++) {
        before += weight(x, n, i);
        long end = i == n - 1 ? total : (long)floor((double)total * (before / sum) + 1e-6);
        begins[i] = (int)begin;
        counts[i] = (int)(end - begin);
        begin = end;
    }
}
