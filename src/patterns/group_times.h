/* How parts of the processes (pairs, groups) that work at the same time differ: kept per valid
 * repetition on rank 0. */
#ifndef SKAMPI_PATTERNS_GROUP_TIMES_H
#define SKAMPI_PATTERNS_GROUP_TIMES_H

#include "context/run.h"

#include <stdint.h>

struct group_times {
    double *mean_us, *fastest_us; /* owned, the first */
    int64_t *slowest;             /* owned; identifies the slowest part */
    int n, most;
};

/* Memory for the suite's maximum number of repetitions. */
int group_times_init(struct group_times *s, const struct run *r, struct err *e);
void group_times_release(struct group_times *s);

/* Returns the index of the repetition; -1: there is no room. */
int group_times_add(struct group_times *s, double mean_us, double fastest_us, int64_t slowest);

/* Only the first repetitions are kept. */
void group_times_cut(struct group_times *s, int kept);

/* Cleaned like the suite's times, without an overhead. */
struct extra_value group_times_mean(struct group_times *s, const struct run *r, double overhead_us);
struct extra_value group_times_fastest(struct group_times *s, const struct run *r,
                                       double overhead_us);

/* The part that was slowest most often; changes the order of the repetitions. */
int64_t group_times_slowest(struct group_times *s);

#endif
