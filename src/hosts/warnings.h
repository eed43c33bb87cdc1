/* Properties of this machine, or of how the run was started, that lead to wrong conclusions: one
 * row per reason in warnings.c, each reported in one line with its remedy. No MPI. */
#pragma once

#include "base/text.h"

/* Rank 0's knowledge at the start. */
struct warning_facts {
    const struct hosts *hosts;
    const struct clock *clock; /* its own */
    double wtime_rate;         /* of MPI_Wtime, as in struct resources */
    const double *latency_us;  /* fastest short ping-pong with each other rank */
    int latencies;             /* number of latency_us; a coarse clock reads some of them as 0 */
    const struct params *params;
    const char *directory, *file_system; /* system_session_directory and its type; or NULL */
    const struct gpu_device *shared_gpu; /* one that several processes use; NULL: none */
    int sharing;                         /* how many */
};

enum { MAX_WARNINGS = 11 };

struct warnings {
    struct text lines[MAX_WARNINGS]; /* "oversubscribed: ..." */
    const char *kinds[MAX_WARNINGS]; /* "warning"; or "note": what is measured is right, too */
    size_t count;
};

/* Fails only without memory. Release w in either case. */
void warnings_find(struct warnings *w, const struct warning_facts *f);
void warnings_release(struct warnings *w);
