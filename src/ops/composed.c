/* What a program would write instead of a collective operation (manual table 3.5): point-to-point
 * calls with the root or with all, or two collectives in a row. */
#include "ops/arguments.h"

enum { TAG = 1 };

/* Broadcasts use the send buffer of all processes. */
static void send_to_all(struct run *r)
{
    for (int i = 1; i < r->size; i++)
        MPI_Send(SENT, run_other(r, i), TAG, r->comm);
}

static void isend_to_all(struct run *r)
{
    for (int i = 1; i < r->size; i++)
        MPI_Isend(SENT, run_other(r, i), TAG, r->comm, &r->requests[i - 1]);
    MPI_Waitall(r->size - 1, r->requests, MPI_STATUSES_IGNORE);
}

CALLED(receive, MPI_Recv(r->send.at, r->receive.count, r->receive.type, r->root, TAG, r->comm,
                         MPI_STATUS_IGNORE))

static void receive_from_all(struct run *r)
{
    copy_own(r, side_message(&r->receive, r->rank));
    for (int i = 1; i < r->size; i++)
        MPI_Recv(RECEIVED_OF(run_other(r, i)), run_other(r, i), TAG, r->comm, MPI_STATUS_IGNORE);
}

CALLED(send_to_root, MPI_Send(SENT, r->root, TAG, r->comm))

static void irecv_from_all(struct run *r)
{
    for (int i = 1; i < r->size; i++)
        MPI_Irecv(RECEIVED_OF(run_other(r, i)), run_other(r, i), TAG, r->comm, &r->requests[i - 1]);
    copy_own(r, side_message(&r->receive, r->rank));
    MPI_Waitall(r->size - 1, r->requests, MPI_STATUSES_IGNORE);
}

AWAITED(isend_to_root, MPI_Isend(SENT, r->root, TAG, r->comm, &request))

/* The message of a process in a buffer that holds one for each. */
typedef char *message_of(const struct side *s, int process);

/* All to all: each process begins with itself and continues with the next higher rank, so that no
 * process is everyone's first. */
static inline void exchange_with_all(struct run *r, message_of *message)
{
    for (int i = 0; i < r->size; i++) {
        int from = (r->rank - i + r->size) % r->size;
        MPI_Irecv(message(&r->receive, from), r->receive.counts[from], r->receive.type, from, TAG,
                  r->comm, &r->requests[i]);
    }
    for (int i = 0; i < r->size; i++) {
        int to = (r->rank + i) % r->size;
        MPI_Isend(message(&r->send, to), r->send.counts[to], r->send.type, to, TAG, r->comm,
                  &r->requests[r->size + i]);
    }
    MPI_Waitall(2 * r->size, r->requests, MPI_STATUSES_IGNORE);
}

static char *displaced(const struct side *s, int process)
{
    int count = s->counts[process];
    return count == 0 ? s->at : s->at + s->displacements[process] / count * s->stride;
}

CALLED(alltoall_isend_irecv, exchange_with_all(r, side_message))
CALLED(alltoallv_isend_irecv, exchange_with_all(r, displaced))

CALLED(reduce_bcast, MPI_Reduce(COMBINED, r->root, r->comm);
       MPI_Bcast(r->receive.at, r->send.count, r->send.type, r->root, r->comm))

/* The reduced parts are on the root after its own part before they are scattered. */
static void reduce_scatterv(struct run *r)
{
    char *reduced = side_message(&r->receive, 1);
    MPI_Reduce(r->send.at, reduced, r->size * r->send.count, r->send.type, r->reduction, r->root,
               r->comm);
    MPI_Scatterv(reduced, r->send.counts, r->send.displacements, r->send.type, r->receive.at,
                 r->send.count, r->send.type, r->root, r->comm);
}

/* On all processes at once. */
CALLED(reduce_local, MPI_Reduce_local(COMBINED))

static const struct op rows[] = {
    OP("MPI_Bcast_Send_Recv", "broadcast by MPI_Send to each, and MPI_Recv",
       ROOTED | TYPE_SHARES_BUFFER, ONE_LENGTH, NO_LENGTH, .in = COL_TYPES(72, 73),
       .hooks = { .server_op = send_to_all, .client_op = receive }, .rewrite = rewrite_as_root,
       .origin = from_root),
    OP("MPI_Bcast_Send_Recv2", "broadcast by MPI_Isend, MPI_Waitall, and MPI_Recv",
       ROOTED | TYPE_SHARES_BUFFER, ONE_LENGTH, NO_LENGTH, .in = COL_TYPES(80, 81),
       .hooks = { .server_op = isend_to_all, .client_op = receive }, .rewrite = rewrite_as_root,
       .origin = from_root),
    OP("MPI_Gather_SR", "gather by MPI_Send and MPI_Recv", ROOTED, ONE_LENGTH, LENGTH_PER_PROCESS,
       .in = COL_TYPES(45, 70),
       .hooks = { .server_op = receive_from_all, .client_op = send_to_root },
       .origin = from_each_to_root),
    OP("MPI_Gather_ISWA", "gather by MPI_Isend, MPI_Irecv and MPI_Waitall", ROOTED, ONE_LENGTH,
       LENGTH_PER_PROCESS, .in = COL_TYPES(46, 71),
       .hooks = { .server_op = irecv_from_all, .client_op = isend_to_root },
       .origin = from_each_to_root),
    OP("MPI_Alltoall_Isend_Irecv", "all-to-all by MPI_Isend and MPI_Irecv", TYPE_HAS_LENGTH,
       LENGTH_PER_PROCESS, LENGTH_PER_PROCESS, .in = COL_TYPES(74, 75),
       .hooks = { .server_op = alltoall_isend_irecv }, .origin = from_each_its_own),
    OP("MPI_Alltoallv_Isend_Irecv", "the same with tables of counts", TYPE_HAS_LENGTH,
       LENGTH_PER_PROCESS, LENGTH_PER_PROCESS, .in = COL_TYPES(78, 79),
       .hooks = { .server_op = alltoallv_isend_irecv }, .origin = from_each_its_own),
    OP("MPI_Reduce_Bcast", "MPI_Reduce followed by MPI_Bcast", REDUCES | TYPE_ROOTED, ONE_LENGTH,
       ONE_LENGTH, .in = COL_TYPES(37, 62), .hooks = { .server_op = reduce_bcast },
       .origin = combined),
    OP("MPI_Reduce_Scatterv", "MPI_Reduce followed by MPI_Scatterv", REDUCES | TYPE_ROOTED,
       LENGTH_PER_PROCESS, ONE_MORE, .in = COL_TYPES(44, 69),
       .hooks = { .server_op = reduce_scatterv }, .origin = combined_in_parts),
    OP("MPI_Reduce_local", "MPI_Reduce_local on all processes at once", REDUCES, ONE_LENGTH,
       ONE_LENGTH, .in = SYNCOL_TYPE(282), .info.rate = RATE_COMBINED,
       .hooks = { .server_op = reduce_local }),
};

OP_FAMILY(composed_family, rows);
