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

/* The standard error of the median of a normal sample: SIGMA_OF_MAD times the median absolute
 * deviation estimates sigma, and the median scatters by MEDIAN_TO_MEAN more than the mean. Both
 * hold for many runs; of few ones the deviation comes out too small. */
static const double SIGMA_OF_MAD = 1.482602218505602, MEDIAN_TO_MEAN = 1.2533141373155003;

static double few_runs(double n)
{
    return 1 + 0.3 / n;
}

/* For two runs it is the standard error of their mean, which is their median. */
static double error_of(double *sorted, size_t n)
{
    double median = median_of(sorted, n), runs = (double)n;
    for (size_t i = 0; i < n; i++)
        sorted[i] = fabs(sorted[i] - median);
    qsort(sorted, n, sizeof(*sorted), by_value);
    double deviation = median_of(sorted, n);
    double error = n == 2 ? deviation
                          : SIGMA_OF_MAD * MEDIAN_TO_MEAN * deviation / sqrt(runs) * few_runs(runs);
    return isfinite(error) ? error : NAN;
}

struct between between_runs(double *values, size_t count)
{
    size_t n = drop_missing(values, count);
    if (n == 0)
        return (struct between){ 0, NAN, NAN };
    qsort(values, n, sizeof(*values), by_value);
    double median = median_of(values, n);
    return (struct between){ n, median, n < 2 ? NAN : error_of(values, n) };
}

double most_frequent(double *values, size_t count)
{
    size_t n = drop_missing(values, count), most = 0;
    double found = NAN;
    qsort(values, n, sizeof(*values), by_value);
    for (size_t i = 0, same; i < n; i += same) {
        for (same = 1; i + same < n && values[i + same] == values[i];)
            same++;
        if (same > most) {
            most = same;
            found = values[i];
        }
    }
    return found;
}
