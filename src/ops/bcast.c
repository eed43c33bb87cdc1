/* Broadcasts (manual table 3.5): the library's, and two made of point-to-point calls.
 * All processes use their send buffer; on the root it holds the message. The root has the send
 * datatype, the others the receive datatype. */
#include "ops/arguments.h"
#include "ops/families.h"
#include "patterns/pattern.h"

enum { TAG = 1 };

static void bcast(struct run *r)
{
    MPI_Bcast(r->send, r->send_count, r->send_type, r->root, r->comm);
}

static void bcast_receive(struct run *r)
{
    MPI_Bcast(r->send, r->receive_count, r->receive_type, r->root, r->comm);
}

static void send_to_all(struct run *r)
{
    for (int i = 1; i < r->size; i++)
        MPI_Send(r->send, r->send_count, r->send_type, run_other(r, i), TAG, r->comm);
}

static void isend_to_all(struct run *r)
{
    for (int i = 1; i < r->size; i++)
        MPI_Isend(r->send, r->send_count, r->send_type, run_other(r, i), TAG, r->comm,
                  &r->requests[i - 1]);
    MPI_Waitall(r->size - 1, r->requests, MPI_STATUSES_IGNORE);
}

static void receive(struct run *r)
{
    MPI_Recv(r->send, r->receive_count, r->receive_type, r->root, TAG, r->comm, MPI_STATUS_IGNORE);
}

#define BROADCAST TYPE_HAS_LENGTH | TYPE_SHARES_BUFFER | TYPE_ROOTED

static const struct op rows[] = {
    { .info = { TYPE("MPI_Bcast", "MPI_Bcast", BROADCAST), .send = ONE_LENGTH },
      .in = COL_TYPES(17, 47),
      .hooks = { .server_op = bcast, .client_op = bcast_receive },
      .rewrite = rewrite_as_root,
      .origin = from_root },
    { .info = { TYPE("bcast_by_ack",
                     "MPI_Bcast that one process at a time acknowledges: checks type 47 "
                     "without its clock",
                     TYPE_HAS_LENGTH | TYPE_SHARES_BUFFER),
                .send = ONE_LENGTH },
      .in = CHECK_TYPE(170),
      .hooks = { .server_op = bcast, .client_op = bcast_receive },
      .rewrite = rewrite_as_root,
      .origin = from_root },
    { .info = { TYPE("MPI_Bcast_Send_Recv", "broadcast by MPI_Send to each, and MPI_Recv",
                     BROADCAST),
                .send = ONE_LENGTH },
      .in = COL_TYPES(72, 73),
      .hooks = { .server_op = send_to_all, .client_op = receive },
      .rewrite = rewrite_as_root,
      .origin = from_root },
    { .info = { TYPE("MPI_Bcast_Send_Recv2", "broadcast by MPI_Isend, MPI_Waitall, and MPI_Recv",
                     BROADCAST),
                .send = ONE_LENGTH },
      .in = COL_TYPES(80, 81),
      .hooks = { .server_op = isend_to_all, .client_op = receive },
      .rewrite = rewrite_as_root,
      .origin = from_root },
};

OP_FAMILY(bcast_family, rows);
