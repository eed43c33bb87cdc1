/* How well processes start together: measured without any operation. */
#pragma once

#include "clock/global_clock.h"

enum { START_SKEW_STARTS = 21 };

/* The time between the first and the last process to start, by each process's estimate of the
 * global time. The clock's residual bounds the error of these estimates. */
struct start_skew {
    double median_us, p25_us, p75_us; /* over START_SKEW_STARTS starts */
};

/* Collective over g->all; the result is on rank 0. Each start is agreed on separately, so that a
 * disturbed process affects no other start. */
struct start_skew start_skew_measure(const struct global_clock *g);
