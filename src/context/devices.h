/* The GPUs of a run's processes, whose memory messages can be in (hosts/gpu.h). */
#pragma once

#include "base/complaints.h"
#include "hosts/buffers.h"
#include "hosts/gpu.h"
#include "model/parameters.h"

#include <mpi.h>

/* Collective: opens a GPU on each process, if a suite needs one. Where a process lacks one, the
 * suites that need it are skipped with the reason, and a variation lacks its kinds of memory. */
void devices_ask(struct params *p, MPI_Comm comm);

/* Adds the blocks of memory that the suites need, of the same size as the buffers. 0 or -1. */
int devices_take(struct buffers *b, const struct params *p, struct err *e);

/* The GPUs of all processes; rank 0 only. */
struct devices {
    struct gpu_device *list; /* owned; of each process; NULL: no suite needs one */
    int most_sharing;        /* processes of a host that use the same GPU, */
    int shared_by;           /* the first of them */
};

/* Collective. Release in any case. */
void devices_gather(struct devices *d, const struct params *p, MPI_Comm comm);
void devices_release(struct devices *d);

/* Adds the MPI library's own answers about GPU memory; nothing if it has no such function. */
void devices_library(struct text *out);
