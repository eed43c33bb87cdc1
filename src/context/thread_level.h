/* The level of thread support with which a run begins (MPI_Init_thread). */
#pragma once

#include "base/complaints.h"
#include "model/parameters.h"

#include <mpi.h>

/* Calls MPI_Init, or MPI_Init_thread for a level above MPI_THREAD_SINGLE: MPI libraries may take
 * longer for all calls then. On each process; they may have different levels. */
void thread_level_init(enum thread_level level, int *argc, char ***argv);

/* Collective: sets the levels of p, and skips the suites with threads unless all processes have
 * MPI_THREAD_MULTIPLE. wanted: that for which this process has called thread_level_init. */
void thread_level_ask(struct params *p, enum thread_level wanted, MPI_Comm comm);
