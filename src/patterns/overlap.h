/* Communication that goes on while processes compute: what an operation of the overlap pattern
 * calls after it has started its requests. */
#ifndef SKAMPI_PATTERNS_OVERLAP_H
#define SKAMPI_PATTERNS_OVERLAP_H

#include "context/run.h"

/* Computes for as long as the measurement wants, not at all outside of one, and with the key tests
 * calls MPI_Testall in between; then waits for the requests. */
void overlap_wait(struct run *r, MPI_Request *requests, int count);

#endif
