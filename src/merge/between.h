/* The median and errors of a value over several runs. Pure. */
#pragma once

#include "base/err.h"

struct between {
    size_t runs;   /* that have the value */
    double median; /* NaN without any; between the two middle ones of an even number */
    double error;  /* standard error of the median; NaN with less than two */
    double mean;
    double mean_error; /* standard error of the mean: s / sqrt(runs), divisor runs - 1 */
};

/* values is sorted in place, NaN ones are passed over.
 *
 * The error is f s / sqrt(runs), where s is the root of the mean square distance from the median,
 * and f such that two errors of 2 to 10 normal values cover 95 % (between.c). Of four runs or more,
 * a quarter may be disturbed: the largest floor(runs / 4) distances count as at most three times
 * the next one, unless that is 0. */
struct between between_runs(double *values, size_t count);

/* The error of a value that each run has with an error of its own: not below what follows from
 * these alone, 1.2 times their median / sqrt(runs); of a single run its own. */
double between_error(const struct between *value, const struct between *own);

/* The error of a mean: not below median own error / sqrt(runs). */
double between_mean_error(const struct between *value, const struct between *own);

/* Half of Student's factor for the mean of n values: two errors times this cover 95 %. */
double between_factor(size_t n);

/* Are they equal, or both missing? */
bool same_number(double x, double y);
