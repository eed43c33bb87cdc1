/* Which process runs where: host names, CPU binding, and whether the CPUs suffice. */
#ifndef SKAMPI_MACHINE_HOSTS_H
#define SKAMPI_MACHINE_HOSTS_H

#include "base/err.h"
#include "base/text.h"

#include <mpi.h>
#include <stdbool.h>

struct place_of_rank {
    char host[MPI_MAX_PROCESSOR_NAME + 1]; /* as MPI_Get_processor_name says */
    char cpus[128];                        /* that it may run on, as a list: "0-1,4" */
};

struct hosts {
    struct place_of_rank *ranks; /* owned, rank 0 only: one per process */
    int processes;
    bool oversubscribed; /* some host has more processes than CPUs they may use; on every rank */
};

/* Collective over comm. */
int hosts_init(struct hosts *h, MPI_Comm comm, struct err *e);
void hosts_release(struct hosts *h);

/* For the header (rank 0): "a:2 b:2", and a line "rank host cpus" per process. */
void hosts_summary(const struct hosts *h, struct text *out);
void hosts_binding(const struct hosts *h, struct text *out);

/* CPU model, cores and caches of this host, one line. */
void hosts_hardware(struct text *out);

#endif
