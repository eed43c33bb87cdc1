#include "clock/control.h"

enum { TAG_SWAP = 57 };

/* MPI_Ibcast of these arguments, and sleeping until it is done; or MPI_Bcast, which blocks. */
#define SLEEP_OR_BLOCK(c, started, blocking, ...)                                                  \
    do {                                                                                           \
        MPI_Request request;                                                                       \
        if ((c)->naps) {                                                                           \
            MPI_I##started(__VA_ARGS__, &request);                                                 \
            idle_wait(c, &request);                                                                \
        } else {                                                                                   \
            MPI_##blocking(__VA_ARGS__);                                                           \
        }                                                                                          \
    } while (0)

void control_receive(const struct clock *c, void *to, int count, MPI_Datatype type, int from,
                     int tag, MPI_Comm comm)
{
    MPI_Request request;
    if (!c->naps) {
        MPI_Recv(to, count, type, from, tag, comm, MPI_STATUS_IGNORE);
        return;
    }
    MPI_Irecv(to, count, type, from, tag, comm, &request);
    idle_wait(c, &request);
}

void control_swap(const struct clock *c, const void *own, void *theirs, int bytes, int other,
                  MPI_Comm comm)
{
    MPI_Request request;
    if (!c->naps) {
        MPI_Sendrecv(own, bytes, MPI_BYTE, other, TAG_SWAP, theirs, bytes, MPI_BYTE, other,
                     TAG_SWAP, comm, MPI_STATUS_IGNORE);
        return;
    }
    MPI_Irecv(theirs, bytes, MPI_BYTE, other, TAG_SWAP, comm, &request);
    MPI_Send(own, bytes, MPI_BYTE, other, TAG_SWAP, comm);
    idle_wait(c, &request);
}

void control_barrier(const struct clock *c, MPI_Comm comm)
{
    SLEEP_OR_BLOCK(c, barrier, Barrier, comm);
}

void control_bcast(const struct clock *c, void *data, int count, MPI_Datatype type, MPI_Comm comm)
{
    SLEEP_OR_BLOCK(c, bcast, Bcast, data, count, type, 0, comm);
}

void control_reduce(const struct clock *c, void *data, int count, MPI_Datatype type, MPI_Op op,
                    MPI_Comm comm)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    const void *given = rank == 0 ? MPI_IN_PLACE : data;
    SLEEP_OR_BLOCK(c, reduce, Reduce, given, data, count, type, op, 0, comm);
}

void control_allreduce(const struct clock *c, void *data, int count, MPI_Datatype type, MPI_Op op,
                       MPI_Comm comm)
{
    SLEEP_OR_BLOCK(c, allreduce, Allreduce, MPI_IN_PLACE, data, count, type, op, comm);
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
