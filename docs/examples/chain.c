/* A broadcast along a chain: each process passes the message on to the next one. An example for the
 * manual: how an operation is added. */
#include "patterns/op.h"

enum { TAG = 1 };

static void send_to_next(struct measurement *m)
{
    MPI_Send(m->send.at, m->send.count, m->send.type, m->rank + 1, TAG, m->comm);
}

static void pass_on(struct measurement *m)
{
    MPI_Recv(m->send.at, m->receive.count, m->receive.type, m->rank - 1, TAG, m->comm,
             MPI_STATUS_IGNORE);
    if (m->rank + 1 < m->size)
        MPI_Send(m->send.at, m->receive.count, m->receive.type, m->rank + 1, TAG, m->comm);
}

/* For the check of derived datatypes: where the message in this process's buffer is from. */
static struct origin from_root(const struct measurement *m, int message)
{
    return (struct origin){ m->rank == 0 ? MPI_PROC_NULL : 0, message };
}

static const struct op rows[] = {
    OP("Bcast_Chain", "broadcast along a chain of processes", TYPE_SHARES_BUFFER, SENDS_ONE,
       .in = COL_TYPES(900, 901), .hooks = { .server_op = send_to_next, .client_op = pass_on },
       .rewrite = rewrite_as_root, .origin = from_root),
};

OP_FAMILY(chain_family, rows);
