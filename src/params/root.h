/* The key root of Parameters: which process is the root of an operation that has one. */
#ifndef SKAMPI_PARAMS_ROOT_H
#define SKAMPI_PARAMS_ROOT_H

#include "params/values.h"

extern const struct value_kind value_root;

/* Complains of roots that the type cannot have, or that are not among the processes of the smallest
 * run. */
void root_check(const struct suite *s, int smallest_run, struct complaints *c);

/* Complains of a root that is not among the processes of this run. */
void root_check_processes(const struct params *p, const struct suite *s, int processes,
                          struct complaints *c);

#endif
