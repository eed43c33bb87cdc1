/* MPI's side of model/datatypes.h: the MPI_Datatype of a suite's Send_ or Receive_Datatype_Number
 * and the MPI_Op of the key op. */
#ifndef SKAMPI_CONTEXT_MPI_DATATYPES_H
#define SKAMPI_CONTEXT_MPI_DATATYPES_H

#include "model/parameters.h"

#include <mpi.h>

MPI_Datatype datatype_mpi(const struct predefined *type);
MPI_Op reduction_mpi(enum combining op); /* MPI_OP_NULL if MPI does not predefine it */

#endif
