/* The times of one process in each valid repetition of a series, in the order of the series: the
 * times of single processes (Node_Times) are those of one repetition, which is only known at the
 * end, and so are their distributions. Memory for all of them is allocated beforehand. */
#ifndef SKAMPI_STATS_OWN_TIMES_H
#define SKAMPI_STATS_OWN_TIMES_H

#include "base/err.h"

struct own_times {
    double *us;     /* owned; NULL: not wanted */
    double *sorted; /* owned; scratch for most of them */
    int n, most;
    int late; /* repetitions that were dropped because this process started late */
};

int own_times_init(struct own_times *o, int most, struct err *e);
void own_times_release(struct own_times *o);

/* Drops all but the first ones. */
void own_times_cut(struct own_times *o, int kept);

/* Times beyond the allocated number are dropped, as in the series. */
void own_times_add(struct own_times *o, double seconds);

/* Drops the times added so far, such as those of a warm-up. */
void own_times_clear(struct own_times *o);

/* In microseconds; NaN if the repetition does not exist. */
double own_times_get(const struct own_times *o, int repetition);

#endif
