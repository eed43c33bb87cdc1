/* Ping-pongs of ready sends, which require that the receive is posted. Before each repetition both
 * sides post their receive, and the client acknowledges that its own is posted; the server's is
 * posted before its message leaves. */
#include "ops/arguments.h"
#include "ops/families.h"

enum { TAG = 1, TAG_POSTED = 2 };

static void post(struct run *r)
{
    MPI_Irecv(RECEIVED, r->peer, TAG, r->comm, r->requests);
    if (pattern_serves(r))
        MPI_Recv(NULL, 0, MPI_BYTE, r->peer, TAG_POSTED, r->comm, MPI_STATUS_IGNORE);
    else
        MPI_Send(NULL, 0, MPI_BYTE, r->peer, TAG_POSTED, r->comm);
}

HOOK(rsend, MPI_Rsend(SENT, r->peer, TAG, r->comm))
HOOK_AWAITED(irsend, MPI_Irsend(SENT, r->peer, TAG, r->comm, &request))
HOOK(wait_posted, MPI_Wait(r->requests, MPI_STATUS_IGNORE))
HOOK_IN_TURN(rsend_wait, rsend, wait_posted)
HOOK_IN_TURN(wait_rsend, wait_posted, rsend)
HOOK_IN_TURN(irsend_wait, irsend, wait_posted)
HOOK_IN_TURN(wait_irsend, wait_posted, irsend)

#define READY(number, name, text, server, client)                                                  \
    OP(name, text, TYPE_HAS_LENGTH, ONE_LENGTH, ONE_LENGTH, .in = P2P_TYPE(number),                \
       .info.time = TIME_POSTED_ROUND_TRIP,                                                        \
       .hooks = { .prepare = post, .server_op = server, .client_op = client },                     \
       .origin = from_peer)

static const struct op rows[] = {
    READY(172, "MPI_Rsend-MPI_Irecv", "MPI_Rsend to an MPI_Irecv posted before, MPI_Wait",
          rsend_wait, wait_rsend),
    READY(173, "MPI_Irsend-MPI_Irecv",
          "MPI_Irsend, MPI_Wait to an MPI_Irecv posted before, MPI_Wait", irsend_wait, wait_irsend),
};

OP_FAMILY(ready_family, rows);
