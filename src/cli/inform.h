/* What skampi prints without measuring: none of this needs mpirun. */
#ifndef SKAMPI_CLI_INFORM_H
#define SKAMPI_CLI_INFORM_H

#include "cli/options.h"
#include "ops/registry.h"

/* Returns the exit status. */
int inform(const struct request *o, const struct registry *types);

#endif
