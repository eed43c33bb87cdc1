/* For the header of a block: which process got which rank in a virtual topology. */
#ifndef SKAMPI_PATTERNS_MAPPING_H
#define SKAMPI_PATTERNS_MAPPING_H

#include "base/text.h"
#include "context/run.h"

/* Call it after run_prepare, on the world's rank 0; adds nothing without a topology. Adds the line
 * #@TOPOLOGY and one "# rank process host" each; without everything, only if a rank differs from
 * the process's. */
void mapping_note(const struct run *r, bool everything, struct text *out);

#endif
