/* CLOCK_MONOTONIC, which all processes of a host share on most systems. Comparing clocks through it
 * needs no messages and does not depend on their delays. */
#pragma once

#include "clock/clock.h"
#include "clock/line.h"

/* Seconds; usable as clock.now. */
double hostclock_now(void);

/* The clock minus the host's, when the host's showed at_s. Takes a few microseconds. */
struct sighting hostclock_sight(const struct clock *c);
