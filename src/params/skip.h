/* Suites that need what the MPI library or this program lacks. */
#ifndef SKAMPI_PARAMS_SKIP_H
#define SKAMPI_PARAMS_SKIP_H

#include "base/complaints.h"
#include "model/parameters.h"

/* Moves them after the others (params.skipped_count), keeping the order of the file, and warns once
 * for each feature that the library lacks. Complains if nothing is left to measure. */
void params_skip(struct params *p, const struct catalog *types, struct complaints *c);

#endif
