/* If a virtual topology makes another process than the world's rank 0 the root, the series is
 * measured there, but plan and block are kept at home. */
#pragma once

#include "context/run.h"
#include "stats/series.h"

/* Is this process rank 0, which measures the series, or the process that receives it? Both need
 * memory for it. */
bool keeps_series(const struct run *r);

/* Sends home what rank 0 measured and the time of its first call. The other processes do nothing.
 */
void series_send_home(struct run *r, struct series *s);

/* Sends home one repetition's time of every process that took part, in microseconds and in rank
 * order; returns their number. Rank 0 gives the number of the repetition. */
int node_times_send_home(struct run *r, const struct series *s, int repetition, double *node_us);

/* Rank 0 receives the value of the process whose us is extreme by op, MPI_MINLOC or MPI_MAXLOC.
 * Returns that process's rank. */
int extreme_send_home(struct run *r, double us, MPI_Op op, struct extra_value own,
                      struct extra_value *found);
