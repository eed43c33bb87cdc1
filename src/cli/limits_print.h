/* How long a launch may take, for --check and skampi-launch. */
#ifndef SKAMPI_CLI_LIMITS_PRINT_H
#define SKAMPI_CLI_LIMITS_PRINT_H

#include "params/params.h"

/* One line: the sum of the time limits over suites and arguments, and how many repetitions suites
 * without a limit may make. Starting, synchronising and checking the data take additional time. */
void limits_print(const struct params *p, int processes, FILE *out);

#endif
