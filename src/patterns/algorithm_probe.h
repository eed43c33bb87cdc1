#ifndef SKAMPI_PATTERNS_ALGORITHM_PROBE_H
#define SKAMPI_PATTERNS_ALGORITHM_PROBE_H

#include "patterns/pattern.h"

/* Makes one call of the operation, which is part of no time; does the library report that the
 * algorithm does not fit? Collective over the run's processes, with the same result on all. */
int algorithm_probe(struct run *r, const struct op *op, bool *fits, struct err *e);

#endif
