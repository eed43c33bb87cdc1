/* Losses of the core that a process runs on (types 270 and 271): detours between two readings of
 * the clock, and work that quanta of time lack. No MPI. */
#pragma once

#include "clock/clock.h"
#include "results/extra_values.h"

enum { QUANTA = 512, QUANTA_LAGS = QUANTA / 2 };

struct noise {
    double looks, looked_s, lost_s, squares; /* of what was lost in each look, for its scatter */
    double longest_s, count;   /* of detours; of quanta: the most in a row, and how many lost */
    double pairs[QUANTA_LAGS]; /* by distance: the correlation of quanta that lost */
};

/* One look each. Return, in seconds, what detours took of a window, beyond the usual time of a
 * reading; and what the quanta lack of the work of those that nothing disturbed. */
double noise_spin(const struct clock *c, struct noise *d);
double noise_work(const struct clock *c, struct noise *d);

/* The mean of the looks, and its standard error. */
struct extra_value noise_lost_percent(const struct noise *d);

/* The period of what takes the work; NaN: too little was lost, or there is none. */
double noise_period_us(const struct noise *d);
