#include "clock/control.h"

enum { TAG_SWAP = 57 };

/* No request: the call has blocked. */
static void finish(const struct clock *c, MPI_Request *request)
{
    if (*request != MPI_REQUEST_NULL)
        idle_wait(c, request);
}

void control_receive(const struct clock *c, void *to, int count, MPI_Datatype type, int from,
                     int tag, MPI_Comm comm)
{
    MPI_Request request = MPI_REQUEST_NULL;
    if (c->naps)
        MPI_Irecv(to, count, type, from, tag, comm, &request);
    else
        MPI_Recv(to, count, type, from, tag, comm, MPI_STATUS_IGNORE);
    finish(c, &request);
}

void control_swap(const struct clock *c, const void *own, void *theirs, int bytes, int other,
                  MPI_Comm comm)
{
    MPI_Request request = MPI_REQUEST_NULL;
    if (c->naps) {
        MPI_Irecv(theirs, bytes, MPI_BYTE, other, TAG_SWAP, comm, &request);
        MPI_Send(own, bytes, MPI_BYTE, other, TAG_SWAP, comm);
    } else {
        MPI_Sendrecv(own, bytes, MPI_BYTE, other, TAG_SWAP, theirs, bytes, MPI_BYTE, other,
                     TAG_SWAP, comm, MPI_STATUS_IGNORE);
    }
    finish(c, &request);
}

void control_barrier(const struct clock *c, MPI_Comm comm)
{
    MPI_Request request = MPI_REQUEST_NULL;
    if (c->naps)
        MPI_Ibarrier(comm, &request);
    else
        MPI_Barrier(comm);
    finish(c, &request);
}

void control_bcast(const struct clock *c, void *data, int count, MPI_Datatype type, MPI_Comm comm)
{
    MPI_Request request = MPI_REQUEST_NULL;
    if (c->naps)
        MPI_Ibcast(data, count, type, 0, comm, &request);
    else
        MPI_Bcast(data, count, type, 0, comm);
    finish(c, &request);
}

void control_reduce(const struct clock *c, void *data, int count, MPI_Datatype type, MPI_Op op,
                    MPI_Comm comm)
{
    MPI_Request request = MPI_REQUEST_NULL;
    int rank;
    MPI_Comm_rank(comm, &rank);
    const void *given = rank == 0 ? MPI_IN_PLACE : data;
    if (c->naps)
        MPI_Ireduce(given, data, count, type, op, 0, comm, &request);
    else
        MPI_Reduce(given, data, count, type, op, 0, comm);
    finish(c, &request);
}

void control_allreduce(const struct clock *c, void *data, int count, MPI_Datatype type, MPI_Op op,
                       MPI_Comm comm)
{
    MPI_Request request = MPI_REQUEST_NULL;
    if (c->naps)
        MPI_Iallreduce(MPI_IN_PLACE, data, count, type, op, comm, &request);
    else
        MPI_Allreduce(MPI_IN_PLACE, data, count, type, op, comm);
    finish(c, &request);
}

int control_agree(const struct clock *c, MPI_Comm comm, int rc, struct err *e)
{
    struct {
        int rc, rank;
    } worst = { rc, 0 };
    MPI_Comm_rank(comm, &worst.rank);
    control_allreduce(c, &worst, 1, MPI_2INT, MPI_MINLOC, comm);
    if (worst.rc == 0)
        return 0;
    MPI_Bcast(e->text, sizeof(e->text), MPI_CHAR, worst.rank, comm);
    return -1;
}
