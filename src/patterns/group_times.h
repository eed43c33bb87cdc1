/* How parts of the processes (pairs, groups) that work at the same time differ: kept per valid
 * repetition on rank 0. */
#ifndef SKAMPI_PATTERNS_GROUP_TIMES_H
#define SKAMPI_PATTERNS_GROUP_TIMES_H

#include "patterns/recorder.h"

struct group_times {
    struct values mean_us, fastest_us;
    struct values slowest; /* identifies the slowest part */
};
enum { GROUP_TIMES = 3 }; /* values */

void group_times_add(struct group_times *s, double mean_us, double fastest_us, double slowest);

/* Cleaned like the suite's times, without an overhead, mean and fastest. */
void group_times_conclude(const struct group_times *s, const struct run *r, double overhead_us,
                          struct extra_value extra[2]);

/* The part that was slowest most often; changes the order of the repetitions. */
double group_times_slowest(struct group_times *s);

#endif
