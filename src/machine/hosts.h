/* Which process runs where: host names, CPU binding, and whether the CPUs suffice. */
#ifndef SKAMPI_MACHINE_HOSTS_H
#define SKAMPI_MACHINE_HOSTS_H

#include "base/err.h"
#include "base/text.h"

#include <mpi.h>
#include <stdbool.h>

enum { CPU_WORDS = 64 }; /* of unsigned long: 4096 CPUs per host */

struct place_of_rank {
    char host[MPI_MAX_PROCESSOR_NAME + 1]; /* as MPI_Get_processor_name says */
    unsigned long cpus[CPU_WORDS];         /* bit mask of those it may run on; none: unknown */
};

struct hosts {
    struct place_of_rank *ranks; /* owned, rank 0 only: one per process */
    int processes;
    bool
        oversubscribed; /* some processes share a CPU: there are fewer than processes; every rank */
};

/* Before MPI_Init: where the launcher says that more processes than CPUs are on this host, Open MPI
 * is told to yield while it waits, unless the user has decided that. */
void hosts_before_init(void);

/* Collective over comm. */
int hosts_init(struct hosts *h, MPI_Comm comm, struct err *e);
void hosts_release(struct hosts *h);

/* For the header (rank 0): "a:2 b:2", and a line "rank host cpus" per process. */
void hosts_summary(const struct hosts *h, struct text *out);
void hosts_binding(const struct hosts *h, struct text *out);

/* Bytes; 0: unknown. */
long long hosts_largest_cache(void);

/* CPU model, cores and caches of this host, one line. */
void hosts_hardware(struct text *out);

#endif
