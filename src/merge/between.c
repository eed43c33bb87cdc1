#include "merge/between.h"

#include "stats/stats.h"

/* Halves first: the sum of two large ones may be too large. */
static double median_of(const double *sorted, size_t n)
{
    double below = sorted[(n - 1) / 2], above = sorted[n / 2];
    return below == above ? below : below / 2 + above / 2;
}

/* By number of values: two errors of normal values cover 95 % (1,000,000 sets each, as make bench
 * BENCH=errors computes them again). For more values: the median's factor, for a mean's error. */
static const double FACTORS[] = { 0, 0, 9.0, 2.5, 2.45, 1.8, 1.53, 1.46, 1.41, 1.38, 1.33 };
enum { MOST_FACTORS = sizeof(FACTORS) / sizeof(*FACTORS) };
static const double MANY = 1.2533141373155003, FEWER = 0.5;

/* The median of five normal values scatters by this much more than their mean. */
static const double MEDIAN_TO_MEAN = 1.2;

/* A quarter of the distances, from four on, counts as at most this multiple of the others. */
static const double MOST_DISTANCE = 3;

/* Other programs make times longer: of five values or more, distances above the median count as at
 * most this multiple of the largest below. */
static const double MOST_ABOVE = 5;
enum { SOME_BELOW = 5 };

static double error_of(double *sorted, size_t n)
{
    double runs = (double)n, squares = 0;
    double median = median_of(sorted, n), below = median - sorted[0];
    double above = n < SOME_BELOW || below == 0 ? INFINITY : MOST_ABOVE * below;
    for (size_t i = 0; i < n; i++)
        sorted[i] = fmin(fabs(sorted[i] - median), above);
    stats_sort(sorted, (int)n);
    size_t far = n > 3 ? n / 4 : 0;
    double most = MOST_DISTANCE * sorted[n - far - 1];
    for (size_t i = 0; i < n; i++)
        squares += pow(most > 0 ? fmin(sorted[i], most) : sorted[i], 2) / runs;
    double factor = n < MOST_FACTORS ? FACTORS[n] : MANY * (1 + FEWER / runs);
    double error = factor * sqrt(squares / runs);
    return isfinite(error) ? error : NAN;
}

/* The mean of distances from the median, which have few digits. */
static double mean_of(const double *values, size_t n, double median, double *error)
{
    double runs = (double)n, mean = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        mean += (values[i] - median) / runs;
    for (size_t i = 0; i < n; i++)
        squares += pow(values[i] - median - mean, 2);
    *error = n < 2 ? NAN : sqrt(squares / (runs - 1) / runs);
    return median + mean;
}

struct between between_runs(double *values, size_t count)
{
    size_t n = (size_t)stats_known(values, (int)count);
    if (n == 0)
        return (struct between){ 0, NAN, NAN, NAN, NAN };
    struct between b = { .runs = n, .median = median_of(values, n), .error = NAN };
    b.mean = mean_of(values, n, b.median, &b.mean_error);
    if (n > 1)
        b.error = error_of(values, n);
    return b;
}

double between_error(const struct between *value, const struct between *own)
{
    double least = MEDIAN_TO_MEAN * own->median / sqrt((double)value->runs);
    if (value->runs < 2)
        return own->median;
    return value->error < least ? least : value->error;
}

double between_mean_error(const struct between *value, const struct between *own)
{
    double least = own->median / sqrt((double)value->runs);
    if (value->runs < 2)
        return own->median;
    return value->mean_error < least ? least : value->mean_error;
}

double between_factor(size_t n)
{
    static const double factors[] = { 1, 1, 6.35, 2.15, 1.59, 1.39, 1.29, 1.22, 1.18, 1.15 };
    enum { KNOWN = sizeof(factors) / sizeof(*factors) };
    return n < KNOWN ? factors[n] : 0.98 * (1.0 + 1.5 / (double)n);
}

bool same_number(double x, double y)
{
    return x == y || (isnan(x) && isnan(y));
}
