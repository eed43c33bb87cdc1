/* Combines the result lists that several runs have of one suite. Pure. */
#ifndef SKAMPI_MERGE_COMBINE_H
#define SKAMPI_MERGE_COMBINE_H

#include "base/err.h"
#include "results/result_list.h"

/* Adds the whole list: separator, header and notes as in the first one, a note "#@RUNS 3 of 5" and,
 * for each argument that any of them has,
 *
 *     argument time error count time_all error_all count_all [node times] # runs=3 of=5 within=...
 *
 * Times, including node times, are medians over the runs that have them; counts are sums. The
 * errors are those between the runs; within= is the median of the runs' own errors. If only one run
 * has the argument, the error is that run's own, and error=within says so. of is the total number
 * of runs. The lists have the same number of arguments. */
int combine(const struct result_list *lists, size_t count, size_t of, struct text *out,
            struct err *e);

#endif
