/* Selects the environment variables to record in the results: those that may change how MPI
 * behaves. Pure.
 */
#pragma once

#include "base/text.h"

/* Adds "NAME=value" lines, sorted by name, no newline after the last. Results may be published, so
 * possible secrets are printed as "NAME=(hidden)". Variables that only describe this launch are
 * omitted. variables ends with NULL, like environ. */
void environment_add(struct text *out, char *const *variables);
