/* Persistent communication: requests are created before the measurement, and each repetition starts
 * and completes them. Creating and freeing them has types of its own. */
#include "ops/arguments.h"

enum { TAG = 1 };

enum { SEND, RECEIVE, ONE_OF_EACH };

static void bind_ping_pong(struct measurement *m, MPI_Request *q)
{
    MPI_Send_init(SENT, m->peer, TAG, m->comm, &q[SEND]);
    MPI_Recv_init(RECEIVED, m->peer, TAG, m->comm, &q[RECEIVE]);
}

static int ping_pong_init(struct measurement *m, struct err *e)
{
    return bound_init(m, ONE_OF_EACH, bind_ping_pong, e);
}

/* Defines a function that uses q, the requests. */
#define WITH_REQUESTS(function, ...)                                                               \
    CALLED(function, MPI_Request *q = bound_requests(m); __VA_ARGS__)

WITH_REQUESTS(send_receive, start_wait(&q[SEND]); start_wait(&q[RECEIVE]))
WITH_REQUESTS(receive_send, start_wait(&q[RECEIVE]); start_wait(&q[SEND]))
WITH_REQUESTS(exchange, MPI_Startall(ONE_OF_EACH, q);
              MPI_Waitall(ONE_OF_EACH, q, MPI_STATUSES_IGNORE))

/* Creates a request to and from itself, so that no other process is needed; never started. */
#define CREATED(function, call)                                                                    \
    static void function(struct measurement *m)                                                    \
    {                                                                                              \
        MPI_Request request;                                                                       \
        call(m->resources->buffers.block, 1, MPI_BYTE, m->rank, TAG, m->comm, &request);           \
        MPI_Request_free(&request);                                                                \
    }

CREATED(create_send, MPI_Send_init)
CREATED(create_receive, MPI_Recv_init)

#define PING_PONG(server, client)                                                                  \
    HOOKS_OF(bound, ping_pong_init, server, .client_op = client, .free = bound_free),              \
        .origin = from_peer

static const struct op rows[] = {
    OP("Persistent_Send-Recv", "MPI_Start and MPI_Wait of a send, then of a receive",
       TYPE_HAS_LENGTH | TYPE_BOUND, ONE_LENGTH, ONE_LENGTH, .in = P2P_TYPE(260),
       PING_PONG(send_receive, receive_send)),
    OP("Persistent_Startall", "MPI_Startall and MPI_Waitall of both on both sides",
       TYPE_HAS_LENGTH | TYPE_BOUND, ONE_LENGTH, ONE_LENGTH,
       .in = TIMED_P2P_TYPE(261, TIME_EXCHANGE), .calls = 2, PING_PONG(exchange, exchange)),
    OP("MPI_Send_init", "MPI_Send_init and MPI_Request_free", 0, NO_LENGTH, NO_LENGTH,
       .in = SIMPLE_TYPE(262), .info.needs = NEEDS_OWN_TIME, .hooks = { .server_op = create_send }),
    OP("MPI_Recv_init", "MPI_Recv_init and MPI_Request_free", 0, NO_LENGTH, NO_LENGTH,
       .in = SIMPLE_TYPE(377), .info.needs = NEEDS_OWN_TIME,
       .hooks = { .server_op = create_receive }),
};

OP_FAMILY(persistent_family, rows);
