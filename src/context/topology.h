/* Virtual topologies (manual 2.1.9) as communicators. */
#pragma once

#include "context/run.h"

#include <mpi.h>

/* Collective over the world: its first processes get a communicator with the topology (NULL: none,
 * in their order), to be freed; the others get MPI_COMM_NULL. A graph or a permutation must have
 * this number of processes. */
MPI_Comm topology_comm(const struct topology *t, MPI_Comm world, int processes);

/* For the header of a block, which process got which rank. Call it after run_prepare, on the
 * world's rank 0; adds nothing without a topology. Adds the line
 * #@TOPOLOGY and one "# rank process host" each; without everything, only if a rank differs from
 * the process's. */
void mapping_note(const struct run *r, bool everything, struct text *out);
