/* Virtual topologies (manual 2.1.9) as communicators. */
#ifndef SKAMPI_CONTEXT_TOPOLOGY_H
#define SKAMPI_CONTEXT_TOPOLOGY_H

#include "base/text.h"
#include "model/parameters.h"

#include <mpi.h>

/* Collective over the world: its first processes get a communicator with the topology (NULL: none,
 * in their order), to be freed; the others get MPI_COMM_NULL. A graph or a permutation must have
 * this number of processes. */
MPI_Comm topology_comm(const struct topology *t, MPI_Comm world, int processes);

/* "Cartesian 4 x 4, periodic yes no", "Graph of 16 processes", "Reorder of 16 processes". */
void topology_describe(const struct topology *t, int processes, struct text *out);

#endif
