/* What of the MPI library serves the calls, and the settings that are not at their default, as far
 * as the library and the environment say. Called by one rank, after MPI_Init. */
#ifndef SKAMPI_SESSION_SERVED_H
#define SKAMPI_SESSION_SERVED_H

#include "base/text.h"

struct facts_of;

/* A line for each: "btl: self tcp vader", "device: ch4:ucx". Adds nothing if nothing is known. */
void served_add(const struct facts_of *of, struct text *out);

/* A line for each setting, with the value that the library has and where it comes from:
 * "coll_tuned_use_dynamic_rules=1 (environment)". Values that look like passwords are hidden. */
void settings_add(const struct facts_of *of, struct text *out);

#endif
