/* One row from the rows that several passes have of an argument. Pure. */
#pragma once

#include "results/block.h"

struct pass_rows {
    struct row **rows; /* owned; of the block, by argument, then in order of the passes */
    size_t count, at;  /* at: the first that was not combined */
    const struct suite *suite;
    double *values; /* owned; scratch */
};

int pass_rows_init(struct pass_rows *p, const struct block *b, struct err *e);
void pass_rows_release(struct pass_rows *p);

/* One row from those of the next argument; returns the first of these, NULL if there are no more.
 * estimate=median: times are medians over the passes, with the error between them (between.h), both
 * without disturbed passes (accuracy.tex); minimum: those of the pass with the smallest time, with
 * half the distance to the second smallest one as error. Counts are summed. within_us is the median
 * of the passes' own errors; one pass keeps its error. Node times are borrowed from the pass whose
 * time is nearest. stop is STOP_ACCURACY if the error between the passes is small enough, and each
 * pass ended so. */
struct row *pass_rows_next(struct pass_rows *p, struct row *all);
