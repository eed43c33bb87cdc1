/* The result lists that several runs have of one suite become one. Pure. */
#ifndef SKAMPI_MERGE_COMBINE_H
#define SKAMPI_MERGE_COMBINE_H

#include "base/err.h"
#include "results/result_list.h"

/* Adds the whole list: separator, header and notes as in the first one, a note "#@RUNS 3 of 5" and,
 * for each argument that any of them has,
 *
 *     argument time error count time_all error_all count_all [node times] # runs=3 of=5 within=...
 *
 * Times, node times too, are medians over the runs that have them, counts are sums. The errors are
 * those between the runs; the median of the runs' own errors is told as within=. Where only one run
 * has the argument, the error is that run's own, and error=within says so. of is the number of runs
 * altogether. The lists have equally many arguments. */
int combine(const struct result_list *lists, size_t count, size_t of, struct text *out,
            struct err *e);

#endif
