/* Alternatives to a collective operation that a program would write (manual table 3.5):
 * point-to-point calls with the root or with all, or two collectives in a row. */
#include "ops/arguments.h"

enum { TAG = 1 };

static void send_to_all(struct measurement *m)
{
    for (int i = 1; i < m->size; i++)
        MPI_Send(SENT, measurement_other(m, i), TAG, m->comm);
}

static void isend_to_all(struct measurement *m)
{
    for (int i = 1; i < m->size; i++)
        MPI_Isend(SENT, measurement_other(m, i), TAG, m->comm, &m->requests[i - 1]);
    MPI_Waitall(m->size - 1, m->requests, MPI_STATUSES_IGNORE);
}

CALLED(receive, MPI_Recv(m->send.at, m->receive.count, m->receive.type, m->root, TAG, m->comm,
                         MPI_STATUS_IGNORE))

static void receive_from_all(struct measurement *m)
{
    copy_own(m, side_message(&m->receive, m->rank));
    for (int i = 1; i < m->size; i++)
        MPI_Recv(RECEIVED_OF(measurement_other(m, i)), measurement_other(m, i), TAG, m->comm,
                 MPI_STATUS_IGNORE);
}

CALLED(send_to_root, MPI_Send(SENT, m->root, TAG, m->comm))

static void irecv_from_all(struct measurement *m)
{
    for (int i = 1; i < m->size; i++)
        MPI_Irecv(RECEIVED_OF(measurement_other(m, i)), measurement_other(m, i), TAG, m->comm,
                  &m->requests[i - 1]);
    copy_own(m, side_message(&m->receive, m->rank));
    MPI_Waitall(m->size - 1, m->requests, MPI_STATUSES_IGNORE);
}

AWAITED(isend_to_root, MPI_Isend(SENT, m->root, TAG, m->comm, &request))

static char *displaced(const struct side *s, int process)
{
    int count = s->counts[process];
    return count == 0 ? s->at : s->at + s->displacements[process] / count * s->stride;
}

CALLED(alltoall_isend_irecv, exchange_with_all(m, side_message, false))
CALLED(alltoallv_isend_irecv, exchange_with_all(m, displaced, false))

CALLED(reduce_bcast, MPI_Reduce(COMBINED, m->root, m->comm);
       MPI_Bcast(m->receive.at, m->send.count, m->send.type, m->root, m->comm))

/* The reduced parts are on the root after its own part before they are scattered. */
static void reduce_scatterv(struct measurement *m)
{
    char *reduced = side_message(&m->receive, 1);
    MPI_Reduce(m->send.at, reduced, m->size * m->send.count, m->send.type, m->reduction, m->root,
               m->comm);
    MPI_Scatterv(reduced, m->send.counts, m->send.displacements, m->send.type, m->receive.at,
                 m->send.count, m->send.type, m->root, m->comm);
}

CALLED(reduce_local, MPI_Reduce_local(COMBINED))

static const struct op rows[] = {
    OP("MPI_Bcast_Send_Recv", "broadcast by MPI_Send to each, and MPI_Recv",
       TYPE_ROOTED | TYPE_SHARES_BUFFER, AS_BCAST, .in = COL_TYPES(72, 73),
       SIDES(send_to_all, receive)),
    OP("MPI_Bcast_Send_Recv2", "broadcast by MPI_Isend, MPI_Waitall, and MPI_Recv",
       TYPE_ROOTED | TYPE_SHARES_BUFFER, AS_BCAST, .in = COL_TYPES(80, 81),
       SIDES(isend_to_all, receive)),
    OP("MPI_Gather_SR", "gather by MPI_Send and MPI_Recv", TYPE_ROOTED, AS_GATHER,
       .in = COL_TYPES(45, 70), SIDES(receive_from_all, send_to_root)),
    OP("MPI_Gather_ISWA", "gather by MPI_Isend, MPI_Irecv and MPI_Waitall", TYPE_ROOTED, AS_GATHER,
       .in = COL_TYPES(46, 71), SIDES(irecv_from_all, isend_to_root)),
    OP("MPI_Alltoall_Isend_Irecv", "all-to-all by MPI_Isend and MPI_Irecv", 0, AS_ALLTOALL,
       .in = COL_TYPES(74, 75), .hooks.server_op = alltoall_isend_irecv),
    OP("MPI_Alltoallv_Isend_Irecv", "the same with tables of counts", 0, AS_ALLTOALL,
       .in = COL_TYPES(78, 79), .hooks.server_op = alltoallv_isend_irecv),
    OP("MPI_Reduce_Bcast", "MPI_Reduce followed by MPI_Bcast", REDUCES | TYPE_ROOTED, SENDS_ONE,
       RECEIVES_ONE, .info.rate = RATE_BUS_TWICE, .in = COL_TYPES(37, 62),
       .hooks = { .server_op = reduce_bcast }, .origin = combined),
    OP("MPI_Reduce_Scatterv", "MPI_Reduce followed by MPI_Scatterv", REDUCES | TYPE_ROOTED,
       SENDS_EACH, .info.receive = { 1, 1 }, .info.rate = RATE_BUS_OTHERS, .in = COL_TYPES(44, 69),
       .hooks = { .server_op = reduce_scatterv }, .origin = combined_in_parts),
    OP("MPI_Reduce_local", "MPI_Reduce_local on all processes at once", REDUCES, SENDS_ONE,
       RECEIVES_ONE, .in = SYNCOL_TYPE(282), .info.rate = RATE_COMBINED,
       .hooks = { .server_op = reduce_local }),
};

OP_FAMILY(composed_family, rows);
