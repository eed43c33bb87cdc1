/* Waiting for a message that may be a long time away, without keeping a core busy. */
#ifndef SKAMPI_CLOCK_IDLE_H
#define SKAMPI_CLOCK_IDLE_H

#include "clock/clock.h"

#include <mpi.h>

/* Completes the request; sleeps between looks, longer the longer it waits (an eighth of the time
 * waited so far, at most 5 ms), so that the end is noticed late by a small part only. */
void idle_wait(const struct clock *c, MPI_Request *request);

/* Broadcast of bytes from rank 0 (collective over comm) in which every process waits like that. */
void idle_bcast(const struct clock *c, void *bytes, int count, MPI_Comm comm);

#endif
