/* Statistics of the repetitions of one argument (paper 4.1, manual 2.1.6). No MPI. */
#pragma once

#include "model/catalog.h"

/* Fewer repetitions show no error: the error of three is wrong by a factor of two in one of four
 * cases. For a batch of local calls, the interval is one repetition. */
enum { FEWEST_REPETITIONS = 4 };

/* A row with fewer has no error. */
enum { FEWEST_OF_ROW = 5 };

struct summary {
    int count; /* of repetitions it is computed from */
    double mean_us;
    double error_us; /* standard error of the mean; NaN for fewer than FEWEST_REPETITIONS */
};

struct stats {
    struct summary cleaned; /* without outliers, and without floor(count * quantile) of the other
                             * values from each end */
    struct summary all;
    double min_us, p25_us, median_us, p75_us, max_us;
    double variance_error; /* relative standard error of the variance from which cleaned.error_us
                            * is computed; 0 if all values are equal */
    int outliers;
};

/* How repetitions are summarised. */
struct summing {
    double cut_quantile;
    enum error_rule error;
    double outliers; /* values above this multiple of the mean are outliers; 0: none is */
};

/* times_us is sorted in place. n = 0 gives NaN times and counts of 0.
 *
 * ERROR_WINSORISED: with g values cut from each end, s_w / ((1 - 2g/n) sqrt(n)), where s_w is the
 * standard deviation (divisor n - 1) of all n values after the g lowest and highest were replaced
 * with the nearest value that remains. It is the standard error of a trimmed mean (Tukey and
 * McLaughlin 1963). If the values that remain are equal, but those that were cut reach so near to
 * the edge of the cut that another sample may keep some (two binomial deviations), it is the error
 * with a cut that is shorter by as much. ERROR_PAPER: sigma / sqrt(count), sigma with divisor
 * count, of what remains. */
struct stats stats_of(double *times_us, int n, struct summing how);

/* The smallest relative difference of values that are not equal; smaller ones are rounding. */
#define STATS_EQUAL 1e-6

/* Are there fewer than FEWEST_OF_ROW, not counting outliers? */
bool stats_are_few(const struct stats *s);

/* Is the error at most this part of the mean, whatever ended the repetitions? No if unknown. */
bool stats_are_accurate(const struct stats *s, double standard_error);

/* The standard error relative to the mean; that of all values if those that remain after the cut
 * are equal. NaN without one: few values have no known error, and subtracted overheads (@ABSOLUTE)
 * can leave a mean of zero or less. */
double stats_relative_error(const struct stats *s);

/* The value at position part * (n - 1) of n > 0 sorted ones, linear between its neighbours. */
double stats_percentile(const double *sorted, int n, double part);

/* The median of those values that are not NaN, which are moved to the front and sorted; NaN without
 * one. */
double stats_median(double *values, int n);

/* Moves the values that are not NaN to the front, and sorts them. Returns their number. */
int stats_known(double *values, int n);

/* The value that occurs most often, the smallest of several; NaN without any. Sorts in place. */
double stats_most_frequent(double *values, int n);

/* Sorts n values in ascending order. */
void stats_sort(double *values, int n);
