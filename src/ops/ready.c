/* Ping-pongs of ready sends, which require that the receive is posted. Before each repetition both
 * sides post their receive, and the client acknowledges that its own is posted; the server's is
 * posted before its message leaves. */
#include "ops/arguments.h"

enum { TAG = 1, TAG_POSTED = 2 };

static void post(struct run *r)
{
    MPI_Irecv(RECEIVED, r->peer, TAG, r->comm, r->requests);
    pattern_tell(r, false, r->comm, TAG_POSTED);
}

CALLED(rsend, MPI_Rsend(SENT, r->peer, TAG, r->comm))
AWAITED(irsend, MPI_Irsend(SENT, r->peer, TAG, r->comm, &request))
CALLED(wait_posted, MPI_Wait(r->requests, MPI_STATUS_IGNORE))

static void rsend_wait(struct run *r)
{
    rsend(r);
    wait_posted(r);
}

static void wait_rsend(struct run *r)
{
    wait_posted(r);
    rsend(r);
}

static void irsend_wait(struct run *r)
{
    irsend(r);
    wait_posted(r);
}

static void wait_irsend(struct run *r)
{
    wait_posted(r);
    irsend(r);
}

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
