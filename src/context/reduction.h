/* What reductions need besides MPI's operations: functions of this program, and numbers to start
 * from. */
#pragma once

#include "context/buffers.h"

#include <mpi.h>

MPI_Op reduction_mpi(enum combining op); /* MPI_OP_NULL if MPI does not predefine it */

/* The operation of op=none, user or user_noncommutative, to be freed by MPI_Op_free. */
MPI_Op own_reduction_new(enum combining op);

/* Fills the buffers with ones if the suite multiplies floating-point numbers. Where a result is
 * used again (MPI_Reduce_local, MPI_Accumulate), products of others would soon be infinite or
 * denormal, and slow. */
void reduction_fill(struct buffers *b, const struct params *p, const struct suite *s);
