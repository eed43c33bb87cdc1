/* The overlap pattern, for its operations. */
#pragma once

#include "context/measurement.h"

/* Computes for as long as the measurement wants, after an operation of the overlap pattern has
 * started its requests, not at all outside of one, and with the key tests calls MPI_Testall in
 * between; then waits for the requests. Returns the code of the MPI call that failed. */
int overlap_wait(struct measurement *m, MPI_Request *requests, int count);
