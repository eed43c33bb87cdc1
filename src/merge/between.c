#include "merge/between.h"

#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static size_t drop_missing(double *values, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!isnan(values[i]))
            values[kept++] = values[i];
    return kept;
}

/* Halves first: the sum of two large ones may be too large. */
static double median_of(const double *sorted, size_t n)
{
    double below = sorted[(n - 1) / 2], above = sorted[n / 2];
    return below == above ? below : below / 2 + above / 2;
}

/* All sums are of distances from the middle value: short, and exactly zero where all values are
 * equal. */
static double error_of(const double *sorted, size_t n)
{
    double middle = sorted[n / 2], sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        sum += sorted[i] - middle;
    double mean = sum / (double)n;
    for (size_t i = 0; i < n; i++) {
        double distance = sorted[i] - middle - mean;
        squares += distance * distance;
    }
    double error = sqrt(squares / (double)(n - 1) / (double)n);
    return isfinite(error) ? error : NAN;
}

struct between between_runs(double *values, size_t count)
{
    size_t n = drop_missing(values, count);
    if (n == 0)
        return (struct between){ 0, NAN, NAN };
    qsort(values, n, sizeof(*values), by_value);
    return (struct between){ n, median_of(values, n), n < 2 ? NAN : error_of(values, n) };
}
