/* One row from those of an argument in several passes, and their shape (stats/shape.h). Pure. */
#pragma once

#include "results/block.h"
#include "stats/pool.h"

struct pass_rows {
    struct row **rows; /* owned; of the block, by argument, then in order of the passes */
    size_t count, at;  /* at: the first that was not combined */
    const struct block *block;
    double *values; /* owned; scratch, as are the next two */
    struct pooled *pool;
    int *repeated;
    double *visit_us; /* owned; those of the last row; NULL: the block does not keep them */
};

void pass_rows_init(struct pass_rows *p, const struct block *b);
void pass_rows_release(struct pass_rows *p);

/* One row from those of the next argument; returns the first of these, NULL if there are no more.
 * Time (cleaned): estimate=cut: that of all repetitions (pool.h); median: the median over the
 * visits without disturbed ones (accuracy.tex), with the error between them (between.h); minimum:
 * that of the fastest visit, with half the distance to the second one as error. Mean (all): that of
 * the visits' means, with the error between them. Counts are summed. within_us is the median of the
 * visits' own errors; one visit keeps its error. Node times are borrowed from the visit whose time
 * is nearest, those of the visits until the next call. stop is STOP_ACCURACY if all visits ended so
 * and the error is small enough, STOP_VISITS if it is not. */
struct row *pass_rows_next(struct pass_rows *p, struct row *all);

/* For n > 0 visits in their order, and the row's value. The row is unsteady if the visits are not
 * independent of each other, or repetitions are not within them, which the error between visits
 * supposes, and if that makes more than the accuracy, a part of the time: repetitions depend on
 * each other within the visits; visits before some point agree, those after it agree, and both
 * differ; visits ascend or descend; or they differ as single repetitions do, but not by chance.
 * With ERROR_PAPER, which is too small, only the first is looked for. Of independent repetitions,
 * at most 5 % show this; visits that scatter more than their errors say do not. Without modes. */
struct shape shapes_combine(struct row *const *rows, size_t n, double value_us,
                            enum error_rule error, double accuracy);
