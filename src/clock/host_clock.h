/* The clock that all processes of a host have in common, CLOCK_MONOTONIC, where they have: what it
 * says needs no messages and no luck with them. */
#ifndef SKAMPI_CLOCK_HOST_CLOCK_H
#define SKAMPI_CLOCK_HOST_CLOCK_H

#include "clock/clock.h"
#include "clock/line.h"

/* Seconds, as clock.now. */
double hostclock_now(void);

/* The clock minus the host's, when the host's showed at_s; a few microseconds. */
struct sighting hostclock_sight(const struct clock *c);

#endif
