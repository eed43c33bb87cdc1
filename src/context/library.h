/* What the MPI library cannot do that the program is compiled for. The one place that asks which
 * library it is. */
#ifndef SKAMPI_CONTEXT_LIBRARY_H
#define SKAMPI_CONTEXT_LIBRARY_H

#include "context/persistent.h"
#include "loops/loops.h"
#include "model/catalog.h"

#include <mpi.h>
#include <stdbool.h>

/* In SimGrid's SMPI, clocks jump in MPI_Init and MPI_Finalize. */
#ifdef SMPI_H
#define LIBRARY_IS_SIMULATED true
#else
#define LIBRARY_IS_SIMULATED false
#endif

/* SMPI (3.32): calls that end the program. */
#ifdef SMPI_H
#define LIBRARY_LACKS (NEEDS_GRAPHS | NEEDS_NEIGHBOURHOODS | NEEDS_EMPTY_REPLACE | NEEDS_FILES)
/* MPICH before 5: a second MPI_Start does not begin anew (its issues 6423, 7078, 7550). */
#elif defined(MPICH_NUMVERSION) && MPICH_NUMVERSION < 50000000
#define LIBRARY_LACKS ((unsigned)NEEDS_PERSISTENT_GATHERS)
#else
#define LIBRARY_LACKS 0u
#endif

/* And what was not compiled. */
#define PROGRAM_LACKS (LIBRARY_LACKS | PERSISTENT_LACKS | loops_lack())

#endif
