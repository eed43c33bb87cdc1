/* What the visits of a row show together (stats/shape.h). Pure. */
#pragma once

#include "results/block.h"

/* For n > 0 visits in their order, and the row's value. The row is unsteady if the visits are not
 * independent of each other, or repetitions are not within them, which the error between visits
 * supposes, and if that makes more than the accuracy, a part of the time: repetitions depend on
 * each other within the visits; visits before some point agree, those after it agree, and both
 * differ; visits ascend or descend; or they differ as single repetitions do, but not by chance.
 * With ERROR_PAPER, which is too small, only the first is looked for. Of independent repetitions,
 * at most 5 % show this; visits that scatter more than their errors say are not unsteady. It has
 * two modes if at least half of the visits have the same two. */
struct shape shapes_combine(struct row *const *rows, size_t n, double value_us,
                            enum error_rule error, double accuracy);
