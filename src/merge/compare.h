/* May two runs be merged? Pure. */
#ifndef SKAMPI_MERGE_COMPARE_H
#define SKAMPI_MERGE_COMPARE_H

#include "results/result_header.h"
#include "results/result_list.h"

/* Adds a line for each difference in machine, number of processes or parameters between other and
 * first: "@PROCESSES is '4', not '2'". A field that only one of them has is a difference, too.
 * Names of hosts, dates, files and texts about the user or the run are ignored. */
void compare_headers(const struct header *first, const struct header *other, struct text *differs);

/* What is measured in the list, and on what: equal for lists of one suite. */
void compare_signature(const struct result_list *l, struct text *signature);

#endif
