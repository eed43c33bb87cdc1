/* The repetitions of a row from all of its visits (manual 2.1.4, paper 4.1). A repetition weighs
 * 1 / (visits x repetitions of its visit). Pure. */
#pragma once

#include <stddef.h>

/* A visit with more repetitions keeps this number of means of groups of equal weight. */
enum { KEPT_MOST = 64 };

/* Times are kept in parts of a microsec., as results have them. */
#define KEPT_DIGITS 1e6

/* Keeps n sorted repetitions, which may be in the same place. Returns the number of values. */
int kept_of(const double *sorted_us, int n, double *kept_us);

struct pooled {
    double us, weight;
    double repetitions; /* of which it is the mean */
    int visit;          /* 0, 1, ... */
};

/* Sorts them by time. */
void pool_sort(struct pooled *list, size_t n);

/* The mean of n > 0 sorted repetitions without the cut: from each end, whole repetitions are
 * dropped while their weights together are at most this part of all; one remains. repeated: how
 * often each visit counts; NULL: once. repetitions, if not NULL: the number of those left. */
double pool_mean(const struct pooled *list, size_t n, double cut_quantile, const int *repeated,
                 double *repetitions);

/* The repetition at this part of the weights, or the mean of two if it is between them. At the
 * quantile of the cut it is the edge of what is left. */
double pool_percentile(const struct pooled *list, size_t n, double part);

struct pool_visits {
    int count;
    int fastest, slowest;
    int *repeated; /* borrowed; scratch for one of each */
};

/* The standard error of pool_mean: 200 bootstraps of more than one whole visit, by a fixed seed. */
double pool_error(const struct pooled *list, size_t n, double cut_quantile,
                  const struct pool_visits *v);
