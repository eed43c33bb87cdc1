/* Waiting for a message that may be a long time away, without keeping a core busy. */
#pragma once

#include "clock/clock.h"

#include <mpi.h>

/* Completes the request. Sleeps between tests for an eighth of the time waited so far, at most 5
 * ms: the delay in noticing completion is a small part of the wait. */
void idle_wait(const struct clock *c, MPI_Request *request);

/* Broadcast of bytes from rank 0 (collective over comm) in which every process waits in this
 * way. */
void idle_bcast(const struct clock *c, void *bytes, int count, MPI_Comm comm);
