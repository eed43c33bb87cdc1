/* Do a suite's arguments fit @MEMORY and the number of processes? */
#ifndef SKAMPI_MODEL_MEMORY_CHECK_H
#define SKAMPI_MODEL_MEMORY_CHECK_H

#include "base/complaints.h"
#include "model/parameters.h"

/* Complains about the first thing that does not fit. An End_Argument that does not fit is not an
 * error: the suite ends before it (suite_range_cut). */
void memory_check(const struct params *p, const struct suite *s, int processes,
                  struct complaints *c);

#endif
