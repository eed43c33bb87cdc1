/* Partitioned communication for libraries that lack it, and in place of another library's: each
 * partition is a persistent message. It is sent when it is ready. SKAMPI_PARTITIONS=late: when all
 * are; swap: the first two arrive in each other's place. One request that receives and one that
 * sends at a time. */
#include "context/library.h"

#include <stdlib.h>
#include <string.h>

enum { TAG = 20000, MAX_PARTITIONS = 1024 };

static struct partitioned {
    MPI_Request request; /* stands for all of them */
    MPI_Request parts[MAX_PARTITIONS];
    int count, ready;
} both[2], *const receives = &both[0], *const sends = &both[1];

static struct partitioned *find(MPI_Request request)
{
    for (int i = 0; i < 2; i++)
        if (both[i].count > 0 && both[i].request == request)
            return &both[i];
    return NULL;
}

static int is(const char *word)
{
    const char *what = getenv("SKAMPI_PARTITIONS");
    return what != NULL && strcmp(what, word) == 0;
}

static int take(struct partitioned *p, int partitions, MPI_Comm comm, MPI_Request *request)
{
    PMPI_Send_init(NULL, 0, MPI_BYTE, MPI_PROC_NULL, TAG, comm, request);
    p->request = *request;
    p->count = partitions;
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
        PMPI_Send_init(place(buffer, i, count, d), (int)count, d, to, TAG + i, comm,
                       &sends->parts[i]);
    return take(sends, partitions, comm, request);
}

int MPI_Precv_init(void *buffer, int partitions, MPI_Count count, MPI_Datatype d, int from, int tag,
                   MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    for (int i = 0; i < partitions; i++)
        PMPI_Recv_init(place(buffer, i, count, d), (int)count, d, from,
                       TAG + (is("swap") && partitions > 1 && i < 2 ? 1 - i : i), comm,
                       &receives->parts[i]);
    return take(receives, partitions, comm, request);
}

int MPI_Start(MPI_Request *request)
{
    struct partitioned *p = find(*request);
    if (p == NULL)
        return PMPI_Start(request);
    p->ready = 0;
    return p == sends ? MPI_SUCCESS : PMPI_Startall(p->count, p->parts);
}

int MPI_Pready(int partition, MPI_Request request)
{
    sends->ready++;
    if (!is("late"))
        return PMPI_Start(&sends->parts[partition]);
    return sends->ready == sends->count ? PMPI_Startall(sends->count, sends->parts) : MPI_SUCCESS;
}

int MPI_Parrived(MPI_Request request, int partition, int *flag)
{
    return PMPI_Test(&receives->parts[partition], flag, MPI_STATUS_IGNORE);
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    struct partitioned *p = find(*request);
    return p == NULL ? PMPI_Wait(request, status)
                     : PMPI_Waitall(p->count, p->parts, MPI_STATUSES_IGNORE);
}

int MPI_Request_free(MPI_Request *request)
{
    struct partitioned *p = find(*request);
    for (int i = 0; p != NULL && i < p->count; i++)
        PMPI_Request_free(&p->parts[i]);
    if (p != NULL)
        p->count = 0;
    return PMPI_Request_free(request);
}
