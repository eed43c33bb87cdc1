#include "context/control.h"

#include <sched.h>

enum { TAG_IDLE = 56, TAG_SWAP = 57, AT_ONCE = 64 };

static const double SPIN_S = 20e-6, NAP_S = 1e-6, SLEEP_MOST_S = 5e-3;

/* Waits for a message that may be far away, without keeping a core busy: sleeps for an eighth of
 * the time waited so far, at most 5 ms, so that the delay is a small part of the wait. */
static void idle_wait(const struct clock *c, MPI_Request *request)
{
    double start = c->now();
    int done = 0;
    MPI_Test(request, &done, MPI_STATUS_IGNORE);
    while (!done) {
        double waited = c->now() - start;
        if (waited < SPIN_S && !c->naps)
            sched_yield();
        else
            clock_sleep(fmin(fmax(waited / 8.0, NAP_S), SLEEP_MOST_S));
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
    }
}

/* Sends to the processes from first to last - 1, step apart. */
static void send_to(const void *bytes, int count, int first, int last, int step, MPI_Comm comm)
{
    MPI_Request requests[AT_ONCE];
    int n = 0;
    for (int other = first; other < last; other += step) {
        MPI_Isend(bytes, count, MPI_BYTE, other, TAG_IDLE, comm, &requests[n++]);
        if (n == AT_ONCE || other + step >= last) {
            MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
            n = 0;
        }
    }
}

int rank_in(MPI_Comm comm)
{
    int rank = 0;
    if (comm != MPI_COMM_NULL)
        MPI_Comm_rank(comm, &rank);
    return rank;
}

struct on_host on_host(MPI_Comm comm)
{
    struct on_host all;
    MPI_Comm host;
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_size(host, &all.processes);
    MPI_Comm_rank(host, &all.number);
    MPI_Comm_free(&host);
    return all;
}

/* Broadcasts in two levels: each sleeping process on the way delays the message again. */
void idle_bcast(const struct clock *c, void *bytes, int count, MPI_Comm comm)
{
    int rank = rank_in(comm), size, group = 1;
    MPI_Comm_size(comm, &size);
    while (group * group < size)
        group++;
    int first = rank - rank % group, last = first + group < size ? first + group : size;
    if (rank > 0) {
        MPI_Request request;
        MPI_Irecv(bytes, count, MPI_BYTE, rank == first ? 0 : first, TAG_IDLE, comm, &request);
        idle_wait(c, &request);
    }
    if (rank == 0)
        send_to(bytes, count, group, size, group, comm);
    if (rank == first)
        send_to(bytes, count, first + 1, last, 1, comm);
}

/* Calls MPI_Ibcast with these arguments and sleeps until it is done; or MPI_Bcast, which blocks. */
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
    const void *given = rank_in(comm) == 0 ? MPI_IN_PLACE : data;
    SLEEP_OR_BLOCK(c, reduce, Reduce, given, data, count, type, op, 0, comm);
}

void control_allreduce(const struct clock *c, void *data, int count, MPI_Datatype type, MPI_Op op,
                       MPI_Comm comm)
{
    SLEEP_OR_BLOCK(c, allreduce, Allreduce, MPI_IN_PLACE, data, count, type, op, comm);
}

/* The text goes in short pieces, since it may say that messages of some lengths arrive wrong. */
int control_agree(const struct clock *c, MPI_Comm comm, int rc, struct err *e)
{
    enum { PIECE = 64 };
    struct {
        int rc, rank;
    } worst = { rc, rank_in(comm) };
    control_allreduce(c, &worst, 1, MPI_2INT, MPI_MINLOC, comm);
    if (worst.rc == 0)
        return 0;
    for (size_t at = 0; at < sizeof(e->text); at += PIECE)
        MPI_Bcast(e->text + at, PIECE, MPI_CHAR, worst.rank, comm);
    return -1;
}

int ranks_agree(MPI_Comm comm, int rc, struct err *e)
{
    return control_agree(&(struct clock){ .naps = false }, comm, rc, e);
}
