/* What the visits of a row show together (stats/shape.h). Pure. */
#ifndef SKAMPI_MERGE_SHAPES_H
#define SKAMPI_MERGE_SHAPES_H

#include "results/block.h"

/* For n > 0 visits in their order. The row is unsteady if repetitions depend on each other within
 * the visits, or if the visits before some point differ from those after it by more than their
 * repetitions explain (a step or a drift; not looked for with ERROR_PAPER, which is too small), and
 * that makes more than the accuracy, a part of the time: in the first case of the error of a visit,
 * in the second one of the difference. Of independent repetitions, at most 4 % show this. It has
 * two modes if at least half of the visits have the same two. */
struct shape shapes_combine(struct row *const *rows, size_t n, enum error_rule error,
                            double accuracy);

#endif
