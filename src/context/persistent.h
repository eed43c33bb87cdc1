/* Persistent collectives: MPI 4 has them, Open MPI 4.1 as an extension. Where there are none, their
 * types are never called (NEEDS_PERSISTENT_COLLECTIVES). */
#ifndef SKAMPI_CONTEXT_PERSISTENT_H
#define SKAMPI_CONTEXT_PERSISTENT_H

#include <mpi.h>

#if defined(OPEN_MPI) && MPI_VERSION < 4
#include <mpi-ext.h>
#endif

#if MPI_VERSION >= 4
#define PERSISTENT_LACKS          0u
#define PERSISTENT_BCAST(...)     MPI_Bcast_init(__VA_ARGS__)
#define PERSISTENT_ALLREDUCE(...) MPI_Allreduce_init(__VA_ARGS__)
#define PERSISTENT_ALLTOALL(...)  MPI_Alltoall_init(__VA_ARGS__)
#define PERSISTENT_BARRIER(...)   MPI_Barrier_init(__VA_ARGS__)
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ) && OMPI_HAVE_MPI_EXT_PCOLLREQ
#define PERSISTENT_LACKS          0u
#define PERSISTENT_BCAST(...)     MPIX_Bcast_init(__VA_ARGS__)
#define PERSISTENT_ALLREDUCE(...) MPIX_Allreduce_init(__VA_ARGS__)
#define PERSISTENT_ALLTOALL(...)  MPIX_Alltoall_init(__VA_ARGS__)
#define PERSISTENT_BARRIER(...)   MPIX_Barrier_init(__VA_ARGS__)
#else
#define PERSISTENT_LACKS          ((unsigned)NEEDS_PERSISTENT_COLLECTIVES)
#define PERSISTENT_BCAST(...)     (void)0
#define PERSISTENT_ALLREDUCE(...) (void)0
#define PERSISTENT_ALLTOALL(...)  (void)0
#define PERSISTENT_BARRIER(...)   (void)0
#endif

#endif
