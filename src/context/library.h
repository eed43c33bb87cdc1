/* Limits and peculiarities of the MPI library. The one place that asks which library it is. What
 * its mpi.h declares is asked for each call (probe.pl), not concluded from its version. */
#pragma once

#include "model/catalog.h"

#include <mpi.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

/* Calls that a library lacks: each fails. Those of missing capabilities are never made. */
static inline int library_lacks_call(const void *none, ...)
{
    return MPI_ERR_OTHER;
}
#define LACKS_CALL(...) library_lacks_call(NULL, __VA_ARGS__)

#include "context/declared.h"
#ifdef MPI_Session_init
typedef int MPI_Session;
#endif

/* PERSISTENT_INIT(Bcast, &request, buffer, ..., comm) creates a request; COUNTED_CALL(Send, ...) is
 * MPI_Send_c(...). */
#define PERSISTENT_INIT(call, request, ...) MPI_##call##_init(__VA_ARGS__, MPI_INFO_NULL, request)
#define COUNTED_CALL(call, ...)             MPI_##call##_c(__VA_ARGS__)

/* In SimGrid's SMPI, clocks jump in MPI_Init and MPI_Finalize. */
#ifdef SMPI_H
#define LIBRARY_IS_SIMULATED true
#else
#define LIBRARY_IS_SIMULATED false
#endif

/* SMPI (3.32): calls that end the program, and what cannot be measured there. */
#ifdef SMPI_H
#define LIBRARY_LACKS                                                                              \
    (NEEDS_GRAPHS | NEEDS_NEIGHBOURHOODS | NEEDS_EMPTY_REPLACE | NEEDS_FILES | NEEDS_OWN_TIME |    \
     NEEDS_SUBARRAYS | NEEDS_GPU | NEEDS_THREADS | NEEDS_TCP)
#else
#define LIBRARY_LACKS 0u
#endif

/* SMPI (3.32) ends the program in MPI_Alltoall of such messages, unless the number of processes is
 * a power of two. */
#ifdef SMPI_H
#define UNEVEN_ALLTOALL_ENDS_AT (512L * 1024)
#else
#define UNEVEN_ALLTOALL_ENDS_AT LONG_MAX
#endif

/* Partitioned communication of another library if one is preloaded, so it is asked for at run time.
 */
#define WEAK __attribute__((weak))
WEAK int MPI_Psend_init(const void *buffer, int partitions, MPI_Count count, MPI_Datatype type,
                        int to, int tag, MPI_Comm comm, MPI_Info info, MPI_Request *request);
WEAK int MPI_Precv_init(void *buffer, int partitions, MPI_Count count, MPI_Datatype type, int from,
                        int tag, MPI_Comm comm, MPI_Info info, MPI_Request *request);
WEAK int MPI_Pready(int partition, MPI_Request request);
WEAK int MPI_Parrived(MPI_Request request, int partition, int *flag);
/* SMPI has no MPI_T: no variable is found. */
#ifdef SMPI_H
typedef int MPI_T_enum, MPI_T_cvar_handle;
enum { MPI_T_ENUM_NULL, MPI_T_BIND_NO_OBJECT, MPI_T_SCOPE_CONSTANT, MPI_T_SCOPE_READONLY };
#define MPI_T_init_thread(...)       LACKS_CALL(__VA_ARGS__)
#define MPI_T_cvar_get_index(...)    LACKS_CALL(__VA_ARGS__)
#define MPI_T_cvar_get_info(...)     LACKS_CALL(__VA_ARGS__)
#define MPI_T_cvar_handle_alloc(...) LACKS_CALL(__VA_ARGS__)
#define MPI_T_cvar_handle_free(...)  LACKS_CALL(__VA_ARGS__)
#define MPI_T_cvar_read(...)         LACKS_CALL(__VA_ARGS__)
#define MPI_T_cvar_write(...)        LACKS_CALL(__VA_ARGS__)
#define MPI_T_enum_get_info(...)     LACKS_CALL(__VA_ARGS__)
#define MPI_T_enum_get_item(...)     LACKS_CALL(__VA_ARGS__)
#endif

/* The function of that name in what is loaded; NULL: it lacks it. */
void *library_function(const char *name);

/* Adds the file of the MPI library that is loaded. */
void library_add_file(struct text *out);

/* Features that the loaded library lacks, as bits of enum capability: its calls, those that end the
 * program, and what library_try has found. */
unsigned library_lacks(void);

/* Tries what is declared and may not work, if these needs include it. All processes of comm.
 * Returns what was found to be wrong. */
unsigned library_try(unsigned needs, MPI_Comm comm);

/* Open MPI 5 waits for ever unless all processes take part (its issue 12969). */
bool library_partitions_need_all(void);
