/* Which process runs where: host names, CPU binding, and whether the CPUs suffice. */
#pragma once

#include "hosts/places.h"

#include <mpi.h>

/* Call before MPI_Init: if the launcher says that this host has more processes than CPUs, Open MPI
 * is set to yield while it waits, unless the user has decided that. MPICH 4.0 has no such setting:
 * its MPIR_CVAR_POLLS_BEFORE_YIELD is for an older device, and yields nothing on Linux. */
void hosts_before_init(void);

/* Collective over comm. Each rank inspects its own host. SimGrid's simulator runs all processes on
 * this machine, whose CPUs are not those of the simulated hosts: only their names are known. */
int hosts_init(struct hosts *h, MPI_Comm comm, bool simulated, struct err *e);
void hosts_release(struct hosts *h);
