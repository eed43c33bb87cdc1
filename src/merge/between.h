/* What several runs say about one value. Pure. */
#ifndef SKAMPI_MERGE_BETWEEN_H
#define SKAMPI_MERGE_BETWEEN_H

#include <stddef.h>

struct between {
    size_t runs;   /* that have the value */
    double median; /* NaN without any; between the two middle ones of an even number */
    double error;  /* standard error between the runs: sigma / sqrt(runs), where sigma is that of a
                      sample (divisor runs - 1: with the paper's, the error of two runs would be
                      30 % too small); NaN with less than two */
};

/* values is sorted in place, NaN ones are passed over. */
struct between between_runs(double *values, size_t count);

#endif
