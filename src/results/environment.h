/* Which variables of the environment the results tell: those that may change how MPI behaves. Pure.
 */
#ifndef SKAMPI_RESULTS_ENVIRONMENT_H
#define SKAMPI_RESULTS_ENVIRONMENT_H

#include "base/text.h"

/* Adds "NAME=value" lines, sorted by name, no newline behind the last. Results are handed on to
 * others: what may be a secret is told as "NAME=(hidden)". What only describes this launch is left
 * out. variables ends with NULL, as environ does. */
void environment_add(struct text *out, char *const *variables);

#endif
