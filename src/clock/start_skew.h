/* How well processes start together: the measuring of nothing. */
#ifndef SKAMPI_CLOCK_START_SKEW_H
#define SKAMPI_CLOCK_START_SKEW_H

#include "clock/global_clock.h"

enum { START_SKEW_STARTS = 21 };

/* The time between the first and the last process to start, by what they take for the global time.
 * How wrong that may be is the clock's residual. */
struct start_skew {
    double median_us, p25_us, p75_us; /* over START_SKEW_STARTS starts */
};

/* Collective over g->all; the result is on rank 0. Each start is agreed on by itself, so that a
 * process that is disturbed spoils no other one. */
struct start_skew start_skew_measure(const struct global_clock *g);

#endif
