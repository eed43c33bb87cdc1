/* Rules for suites that divide the processes into groups, or are varied over their number. */
#ifndef SKAMPI_PARAMS_DIVISION_H
#define SKAMPI_PARAMS_DIVISION_H

#include "base/complaints.h"
#include "model/parameters.h"

void division_check(const struct suite *s, struct complaints *c);

/* Those that need the number of processes. */
void division_check_processes(const struct suite *s, int processes, struct complaints *c);

#endif
