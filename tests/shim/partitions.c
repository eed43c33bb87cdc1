/* Partitioned communication for libraries that lack it, and in place of another library's: each
 * partition is a persistent message. It is sent when it is ready. SKAMPI_PARTITIONS=late: when all
 * are; swap: the first two arrive in each other's place. One partitioned request at a time. */
#include "context/library.h"

#include <stdlib.h>
#include <string.h>

enum { TAG = 20000, MAX_PARTITIONS = 1024 };

static struct {
    MPI_Request request; /* stands for all of them */
    MPI_Request parts[MAX_PARTITIONS];
    int count, ready;
    int sends;
} of;

static int is(const char *word)
{
    const char *what = getenv("SKAMPI_PARTITIONS");
    return what != NULL && strcmp(what, word) == 0;
}

static int take(int partitions, int sends, MPI_Comm comm, MPI_Request *request)
{
    PMPI_Send_init(NULL, 0, MPI_BYTE, MPI_PROC_NULL, TAG, comm, request);
    of.request = *request;
    of.count = partitions;
    of.sends = sends;
    return MPI_SUCCESS;
}

static char *place(const void *buffer, int i, MPI_Count count, MPI_Datatype d)
{
    MPI_Aint lb, extent;
    PMPI_Type_get_extent(d, &lb, &extent);
    return (char *)buffer + i * (MPI_Aint)count * extent;
}

int MPI_Psend_init(const void *buffer, int partitions, MPI_Count count, MPI_Datatype d, int to,
                   int tag, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    for (int i = 0; i < partitions; i++)
        PMPI_Send_init(place(buffer, i, count, d), (int)count, d, to, TAG + i, comm, &of.parts[i]);
    return take(partitions, 1, comm, request);
}

int MPI_Precv_init(void *buffer, int partitions, MPI_Count count, MPI_Datatype d, int from, int tag,
                   MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    for (int i = 0; i < partitions; i++)
        PMPI_Recv_init(place(buffer, i, count, d), (int)count, d, from,
                       TAG + (is("swap") && partitions > 1 && i < 2 ? 1 - i : i), comm,
                       &of.parts[i]);
    return take(partitions, 0, comm, request);
}

int MPI_Start(MPI_Request *request)
{
    if (*request != of.request)
        return PMPI_Start(request);
    of.ready = 0;
    return of.sends ? MPI_SUCCESS : PMPI_Startall(of.count, of.parts);
}

int MPI_Pready(int partition, MPI_Request request)
{
    of.ready++;
    if (!is("late"))
        return PMPI_Start(&of.parts[partition]);
    return of.ready == of.count ? PMPI_Startall(of.count, of.parts) : MPI_SUCCESS;
}

int MPI_Parrived(MPI_Request request, int partition, int *flag)
{
    return PMPI_Test(&of.parts[partition], flag, MPI_STATUS_IGNORE);
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    return *request == of.request ? PMPI_Waitall(of.count, of.parts, MPI_STATUSES_IGNORE)
                                  : PMPI_Wait(request, status);
}

int MPI_Request_free(MPI_Request *request)
{
    if (*request == of.request) {
        of.request = MPI_REQUEST_NULL;
        for (int i = 0; i < of.count; i++)
            PMPI_Request_free(&of.parts[i]);
    }
    return PMPI_Request_free(request);
}
