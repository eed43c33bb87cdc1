/* How far two clocks may be apart although no message shows it: one direction of the network may be
 * slower than the other. */
#pragma once

#include "clock/global_clock.h"

/* No two of the first processes are further apart than this, at the time of the call, as far as
 * round trips between them show. Collective over comm, which contains just these processes. */
double clock_bound(const struct global_clock *g, MPI_Comm comm);
