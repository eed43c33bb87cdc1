/* How well processes start together: the measuring of nothing. */
#ifndef SKAMPI_CLOCK_START_SKEW_H
#define SKAMPI_CLOCK_START_SKEW_H

#include "clock/global_clock.h"

/* Collective over g->all. All start at some instants that were agreed on; the result, on rank 0, is
 * the median time between the first and the last to start, by what they take for the global time.
 * How wrong that may be is the clock's residual. */
double start_skew_us(const struct global_clock *g);

#endif
