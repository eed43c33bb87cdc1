/* One row from the rows that several passes have of an argument. Pure. */
#ifndef SKAMPI_MERGE_PASS_ROWS_H
#define SKAMPI_MERGE_PASS_ROWS_H

#include "results/block.h"

struct pass_rows {
    const struct row *rows; /* borrowed; of all arguments, pass after pass */
    size_t count, arguments;
    const struct suite *suite;
    double *values; /* owned; room for one of each pass */
};

int pass_rows_init(struct pass_rows *p, const struct block *b, size_t arguments, struct err *e);
void pass_rows_release(struct pass_rows *p);

/* estimate=median: times are medians over the passes, with the error between them (between.h);
 * minimum: those of the pass with the smallest time, with half the distance to the second smallest
 * one as error. Counts are summed. within_us is the median of the passes' own errors; one pass
 * keeps its error. */
struct row pass_rows_combine(const struct pass_rows *p, size_t argument);

#endif
