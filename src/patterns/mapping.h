/* For the header of a block: which process a virtual topology gave which rank. */
#ifndef SKAMPI_PATTERNS_MAPPING_H
#define SKAMPI_PATTERNS_MAPPING_H

#include "base/text.h"
#include "context/run.h"

/* Where the run is prepared, on the world's rank 0; nothing without a topology. The line
 * #@TOPOLOGY, and one "# rank process host" each; where not everything is asked for, only if a rank
 * is another than the process's. */
void mapping_note(const struct run *r, bool everything, struct text *out);

#endif
