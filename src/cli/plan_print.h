/* The plan of a parameter file, for --check. */
#ifndef SKAMPI_CLI_PLAN_PRINT_H
#define SKAMPI_CLI_PLAN_PRINT_H

#include "params/params.h"

/* Per suite: what is varied, the arguments of the sweep, and memory per process. */
void plan_print(const struct params *p, const struct catalog *types, int processes, FILE *out);

#endif
