/* Where the processes run, as rank 0 has heard it from each of them, and what follows from that. No
 * MPI. */
#ifndef SKAMPI_MACHINE_PLACES_H
#define SKAMPI_MACHINE_PLACES_H

#include "base/text.h"

#include <stdbool.h>

enum { CPU_WORDS = 64 }; /* of unsigned long: 4096 CPUs per host */
enum { HOST_NAME_SIZE = 257 };

struct place_of_rank {
    char host[HOST_NAME_SIZE];     /* as MPI_Get_processor_name says */
    unsigned long cpus[CPU_WORDS]; /* bit mask of those it may run on; none: unknown */
};

struct hosts {
    struct place_of_rank *ranks; /* owned, rank 0 only: one per process */
    int processes;
    bool
        oversubscribed; /* some processes share a CPU: there are fewer than processes; every rank */
};

/* Rank 0, once it knows all places: sets oversubscribed. */
void hosts_judge(struct hosts *h);

/* For the header (rank 0): "a:2 b:2". */
void hosts_summary(const struct hosts *h, struct text *out);

#endif
