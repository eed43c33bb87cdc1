/* A persistent gather that sends what was there when the request was made, as in MPICH 4.1; and a
 * start that sets a variable with another value in each run, as libfabric does. */
#include "context/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int MPI_Init(int *argc, char ***argv)
{
    char text[32];
    snprintf(text, sizeof(text), "%ld", (long)getpid());
    setenv("FI_OWN", text, 1);
    return PMPI_Init(argc, argv);
}

#define WITH_P_(name) P##name
#define WITH_P(name)  WITH_P_(name)

int MPI_Gather_init(const void *send, int count, MPI_Datatype type, void *receive, int parts,
                    MPI_Datatype part, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    int size;
    PMPI_Type_size(type, &size);
    char *stale = malloc((size_t)count * (size_t)size + 1);
    memcpy(stale, send, (size_t)count * (size_t)size);
    return WITH_P(MPI_Gather_init)(stale, count, type, receive, parts, part, root, comm, info,
                                   request);
}
