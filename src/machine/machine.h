/* What a run has for its whole life: processes, clock, buffers, hosts. */
#ifndef SKAMPI_MACHINE_MACHINE_H
#define SKAMPI_MACHINE_MACHINE_H

#include "base/err.h"
#include "machine/buffers.h"
#include "machine/hosts.h"
#include "measure/clock.h"
#include "params/params.h"

#include <mpi.h>

struct machine {
    MPI_Comm world;   /* own duplicate of MPI_COMM_WORLD: what is measured */
    MPI_Comm control; /* another: what steers the measuring */
    int rank, size;
    struct clock clock;
    struct hosts hosts;
    struct buffers buffers;
    double *latency_us; /* owned; one per rank, on rank 0: its fastest short ping-pong with it */
};

/* Collective. The buffers get as much as the suite that needs most, at most @MEMORY. */
int machine_init(struct machine *m, const struct params *p, struct err *e);
void machine_release(struct machine *m);

/* Is @MEMORY so large that going through it leaves nothing of it in the cache? Rank 0. */
bool machine_evicts(const struct machine *m);

/* Collective: 0 if rc is 0 everywhere, else -1, so that all ranks leave together, each with the
 * message of the lowest rank that failed. */
int ranks_agree(MPI_Comm comm, int rc, struct err *e);

#endif
