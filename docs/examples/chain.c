/* A broadcast along a chain: each process passes the message on to the next one. An example for the
 * manual: how an operation is added. */
#include "patterns/op.h"

enum { TAG = 1 };

static void send_to_next(struct run *r)
{
    MPI_Send(r->send.at, r->send.count, r->send.type, r->rank + 1, TAG, r->comm);
}

static void pass_on(struct run *r)
{
    MPI_Recv(r->send.at, r->receive.count, r->receive.type, r->rank - 1, TAG, r->comm,
             MPI_STATUS_IGNORE);
    if (r->rank + 1 < r->size)
        MPI_Send(r->send.at, r->receive.count, r->receive.type, r->rank + 1, TAG, r->comm);
}

/* For the check of derived datatypes: where the message in this process's buffer is from. */
static struct origin from_root(const struct run *r, int message)
{
    return (struct origin){ r->rank == 0 ? MPI_PROC_NULL : 0, message };
}

static const struct op rows[] = {
    OP("Bcast_Chain", "broadcast along a chain of processes", TYPE_HAS_LENGTH | TYPE_SHARES_BUFFER,
       ONE_LENGTH, NO_LENGTH, .in = COL_TYPES(900, 901),
       .hooks = { .server_op = send_to_next, .client_op = pass_on }, .rewrite = rewrite_as_root,
       .origin = from_root),
};

OP_FAMILY(chain_family, rows);
