/* Persistent collectives: MPI 4 has them, Open MPI 4.1 as an extension. Where there are none, their
 * types are never called (NEEDS_PERSISTENT_COLLECTIVES). */
#ifndef SKAMPI_CONTEXT_PERSISTENT_H
#define SKAMPI_CONTEXT_PERSISTENT_H

#include <mpi.h>

#if defined(OPEN_MPI) && MPI_VERSION < 4
#include <mpi-ext.h>
#endif

/* PERSISTENT_INIT(Bcast, &request, buffer, ..., comm) creates the request of a broadcast. */
#if MPI_VERSION >= 4
#define PERSISTENT_LACKS                    0u
#define PERSISTENT_INIT(call, request, ...) MPI_##call##_init(__VA_ARGS__, MPI_INFO_NULL, request)
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ) && OMPI_HAVE_MPI_EXT_PCOLLREQ
#define PERSISTENT_LACKS                    0u
#define PERSISTENT_INIT(call, request, ...) MPIX_##call##_init(__VA_ARGS__, MPI_INFO_NULL, request)
#else
#define PERSISTENT_LACKS                    ((unsigned)NEEDS_PERSISTENT_COLLECTIVES)
#define PERSISTENT_INIT(call, request, ...) ((void)(*(request) = MPI_REQUEST_NULL))
#endif

#endif
