/* The text of a @TOPOLOGYn section (manual 2.1.9), one of
 *
 *     Cartesian [NOREORDER] dimensions yes|no ...     periodic or not, for each dimension
 *     Graph [NOREORDER] [1 2] [0] [0] ...             the neighbours of process 0, 1, 2, ...
 *     Directed [NOREORDER] [1 1] [2] [] ...           the processes that 0, 1, 2, ... sends to
 *     Reorder 3 1 0 2 ...                             the new rank of process 0, 1, 2, ...
 *
 * The brackets of a graph may be in a file: "Graph file:NAME". */
#ifndef SKAMPI_PARAMS_TOPOLOGIES_H
#define SKAMPI_PARAMS_TOPOLOGIES_H

#include "base/complaints.h"
#include "params/params.h"

#include <stddef.h>

/* Reads the bytes [from, to) of the source. A graph must be symmetric and name processes that
 * exist; a permutation must have every rank once. Returns 0, or -1 after at least one complaint;
 * t is then of kind TOPOLOGY_NONE. What t held before is not released. */
int topology_parse(struct topology *t, const struct source *s, size_t from, size_t to,
                   struct complaints *c);

void topology_release(struct topology *t);

#endif
