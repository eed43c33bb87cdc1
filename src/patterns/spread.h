/* How parts of the processes (pairs, groups) that work at the same time differ: kept per valid
 * repetition on rank 0. */
#ifndef SKAMPI_PATTERNS_SPREAD_H
#define SKAMPI_PATTERNS_SPREAD_H

#include "context/run.h"

#include <stdint.h>

struct spread {
    double *mean_us, *fastest_us; /* owned, the first */
    int64_t *slowest;             /* owned; identifies the slowest part */
    int n, most;
};

/* Memory for the suite's maximum number of repetitions. */
int spread_init(struct spread *s, const struct run *r, struct err *e);
void spread_release(struct spread *s);

/* Returns the index of the repetition; -1: there is no room. */
int spread_add(struct spread *s, double mean_us, double fastest_us, int64_t slowest);

/* Only the first repetitions are kept. */
void spread_cut(struct spread *s, int kept);

/* Cleaned like the suite's times, without an overhead. */
struct extra_value spread_mean(struct spread *s, const struct run *r, double overhead_us);
struct extra_value spread_fastest(struct spread *s, const struct run *r, double overhead_us);

/* The part that was slowest most often; changes the order of the repetitions. */
int64_t spread_slowest(struct spread *s);

#endif
