#pragma once

#include "patterns/pattern.h"

/* Makes one call of the operation, which is part of no time; does the library report that the
 * algorithm does not fit? Collective over the run's processes, with the same result on all. */
int algorithm_probe(struct run *r, const struct op *op, bool *fits, struct err *e);
