/* A library without overlap: MPI_Isend and MPI_Irecv begin only in the call that completes them.
 * Preloaded by "make bench BENCH=health". */
#include <mpi.h>
#include <stdbool.h>

enum { MOST = 4096 };

static MPI_Request waiting[MOST];
static int count, started;

static int keep(int rc, MPI_Request request)
{
    if (rc == MPI_SUCCESS && count < MOST)
        waiting[count++] = request;
    return rc;
}

int MPI_Isend(const void *buffer, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    if (count == MOST)
        return PMPI_Isend(buffer, n, type, to, tag, comm, request);
    int rc = PMPI_Send_init(buffer, n, type, to, tag, comm, request);
    return keep(rc, *request);
}

int MPI_Irecv(void *buffer, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    if (count == MOST)
        return PMPI_Irecv(buffer, n, type, from, tag, comm, request);
    int rc = PMPI_Recv_init(buffer, n, type, from, tag, comm, request);
    return keep(rc, *request);
}

static void start(void)
{
    if (count > started)
        PMPI_Startall(count - started, waiting + started);
    started = count;
}

/* Persistent requests stay after their completion. */
static bool forget(MPI_Request *request)
{
    for (int i = 0; i < count; i++)
        if (waiting[i] == *request) {
            for (int k = i + 1; k < count; k++)
                waiting[k - 1] = waiting[k];
            count--;
            started -= i < started;
            PMPI_Request_free(request);
            return true;
        }
    return false;
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    start();
    MPI_Request copy = *request;
    int rc = PMPI_Wait(request, status);
    *request = copy;
    if (!forget(request))
        *request = MPI_REQUEST_NULL;
    return rc;
}

int MPI_Test(MPI_Request *request, int *done, MPI_Status *status)
{
    start();
    MPI_Request copy = *request;
    int rc = PMPI_Test(request, done, status);
    if (*done && copy != MPI_REQUEST_NULL) {
        *request = copy;
        if (!forget(request))
            *request = MPI_REQUEST_NULL;
    }
    return rc;
}

int MPI_Waitall(int n, MPI_Request requests[], MPI_Status statuses[])
{
    start();
    int rc = PMPI_Waitall(n, requests, statuses);
    for (int i = 0; i < n; i++)
        if (requests[i] != MPI_REQUEST_NULL)
            forget(&requests[i]);
    return rc;
}
