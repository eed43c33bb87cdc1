/* Compares the clocks of two processes by messages. The global clock is built on this. */
#pragma once

#include "clock/clock.h"
#include "clock/line.h"

#include <mpi.h>

/* Both processes of a pair call it at the same time, one of them with asks_first. Returns the other
 * process's clock minus this process's. The error is half a round trip. Delays that are equal in
 * both directions cancel out, and so does the difference between the cost of asking and of
 * answering. */
struct sighting sighting_of(const struct clock *c, int other, bool asks_first, MPI_Comm comm);
