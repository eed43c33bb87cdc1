/* How parts of the processes (pairs, groups) that work at the same time differ: of each valid
 * repetition, on rank 0, the mean and the fastest part, and which one was slowest. For recorders,
 * whose state begins with it (recorder.h). No MPI. */
#pragma once

#include "results/extra_values.h"
#include "stats/series.h"

struct group_times {
    struct values mean_us, fastest_us;
    struct values slowest; /* identifies the slowest part */
};
enum { GROUP_TIMES = 3 }; /* values */

void group_times_add(struct group_times *g, double mean_us, double fastest_us, double slowest);

/* Without the overhead: the mean over the parts, and the fastest. */
void group_times_conclude(const struct group_times *g, struct summing how, double overhead_us,
                          struct extra_value extra[2]);

/* The part that was slowest most often, the first of several; sorts the repetitions. */
double group_times_slowest(struct group_times *g);
