/* What several runs say about one value. Pure. */
#ifndef SKAMPI_MERGE_BETWEEN_H
#define SKAMPI_MERGE_BETWEEN_H

#include <stddef.h>

struct between {
    size_t runs;   /* that have the value */
    double median; /* NaN without any; between the two middle ones of an even number */
    double error;  /* standard error of the median, as robust as that: 1.858 d / sqrt(runs)
                      * (1 + 0.3 / runs), where d is the median of the distances from the median;
                      d itself of two runs; NaN with less than two */
};

/* values is sorted in place, NaN ones are passed over. */
struct between between_runs(double *values, size_t count);

/* The value that occurs most often, the smallest of several; NaN without any. Likewise sorted. */
double most_frequent(double *values, size_t count);

#endif
