/* What one process took itself in each valid repetition of a series, in the order of the series:
 * the single processes' times (Node_Times) are those of one repetition, which is only known at the
 * end. Memory for all of them is taken beforehand. */
#ifndef SKAMPI_STATS_OWN_TIMES_H
#define SKAMPI_STATS_OWN_TIMES_H

#include "base/err.h"

struct own_times {
    double *us; /* owned; NULL: nobody wants to know */
    int n, most;
};

int own_times_init(struct own_times *o, int most, struct err *e);
void own_times_release(struct own_times *o);

/* Beyond the room for so many they are dropped, as in the series. */
void own_times_add(struct own_times *o, double seconds);

/* What was added so far, as in a warm-up, belongs to no series. */
void own_times_clear(struct own_times *o);

/* In microseconds; NaN if there is no such repetition. */
double own_times_get(const struct own_times *o, int repetition);

#endif
