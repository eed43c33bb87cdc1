/* Do a suite's arguments fit @MEMORY and the number of processes? */
#ifndef SKAMPI_MODEL_MEMORY_CHECK_H
#define SKAMPI_MODEL_MEMORY_CHECK_H

#include "base/complaints.h"
#include "model/parameters.h"

/* Complains about the first thing that does not fit. Nodes that a file asks for beyond the number
 * of processes are the caller's. */
void memory_check(const struct params *p, const struct suite *s, int processes,
                  struct complaints *c);

#endif
