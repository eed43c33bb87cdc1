/* What two processes see of each other's clocks, by messages: how the global clock learns. */
#ifndef SKAMPI_CLOCK_EXCHANGE_H
#define SKAMPI_CLOCK_EXCHANGE_H

#include "clock/clock.h"
#include "clock/line.h"

#include <mpi.h>

/* Both processes of a pair call it at the same time, one with asks_first. The result is the other
 * one's clock minus the own one. Its error is half a round trip: whatever way there and way back
 * have in common cancels out, and so does what asking costs more than answering. */
struct sighting exchange_clocks(const struct clock *c, int other, bool asks_first, MPI_Comm comm);

#endif
