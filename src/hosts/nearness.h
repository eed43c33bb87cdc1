/* Which process is nearest to rank 0, and which farthest, by the time of short messages. A few
 * exchanges with each process give times that may be too long, never too short; only those that
 * matter are measured again. No MPI. */
#pragma once

#include <stdbool.h>

/* The nearest of the processes 1 to processes - 1, or the farthest; the first of equals. */
int nearness_choose(const double *latency_us, int processes, bool farthest);

struct nearness {
    const double *latency_us; /* borrowed: the times known so far */
    bool *exact;              /* borrowed, per process: measured again; false at first */
    int processes;
    int first, nearest, farthest; /* the first processes for which these are known */
    int left;                     /* maximum number of processes still to be measured again */
};

struct nearness nearness_start(const double *latency_us, bool *exact, int processes);

/* The process whose time is to be measured again; 0: none, because the farthest and the nearest of
 * all, and of any number of first processes, are known. The caller updates its latency. */
int nearness_next(struct nearness *s);
