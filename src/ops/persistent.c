/* Persistent communication: requests are created before the measurement, and each repetition starts
 * and completes them. Creating and freeing them has types of its own. */
#include "ops/arguments.h"

/* The tags of a thread. */
#define TAG m->tag

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

CALLED(send_receive, MPI_Request *q = bound_requests(m); start_wait(&q[SEND]);
       start_wait(&q[RECEIVE]))
CALLED(receive_send, MPI_Request *q = bound_requests(m); start_wait(&q[RECEIVE]);
       start_wait(&q[SEND]))
CALLED(staged_receive_send, MPI_Request *q = bound_requests(m); start_wait(&q[RECEIVE]);
       pattern_stage_received(m); pattern_stage_sent(m); start_wait(&q[SEND]))
CALLED(exchange, MPI_Request *q = bound_requests(m); MPI_Startall(ONE_OF_EACH, q);
       MPI_Waitall(ONE_OF_EACH, q, MPI_STATUSES_IGNORE))

/* Create a request to and from itself, so that no other process is needed; never started. */
CALLED(create_send, MPI_Request request;
       MPI_Send_init(m->resources->buffers.block, 1, MPI_BYTE, m->rank, TAG, m->comm, &request);
       MPI_Request_free(&request))
CALLED(create_receive, MPI_Request request;
       MPI_Recv_init(m->resources->buffers.block, 1, MPI_BYTE, m->rank, TAG, m->comm, &request);
       MPI_Request_free(&request))

#define BOUND                                                                                      \
    SENDS_ONE, RECEIVES_ONE, .origin = from_peer, .hooks.state = sizeof(struct bound),             \
                             .hooks.init = ping_pong_init, .hooks.free = bound_free

static const struct op rows[] = {
    OP("Persistent_Send-Recv", "MPI_Start and MPI_Wait of a send, then of a receive", TYPE_BOUND,
       BOUND, .in = P2P_TYPE(260), SIDES(send_receive, receive_send),
       .hooks.staged_client = staged_receive_send),
    OP("Persistent_Startall", "MPI_Startall and MPI_Waitall of both on both sides", TYPE_BOUND,
       BOUND, .in = TIMED_P2P_TYPE(261, TIME_EXCHANGE), .calls = 2, SIDES(exchange, exchange)),
    OP("MPI_Send_init", "MPI_Send_init and MPI_Request_free", 0, .in = SIMPLE_TYPE(262),
       .info.needs = NEEDS_OWN_TIME, .hooks.server_op = create_send),
    OP("MPI_Recv_init", "MPI_Recv_init and MPI_Request_free", 0, .in = SIMPLE_TYPE(377),
       .info.needs = NEEDS_OWN_TIME, .hooks.server_op = create_receive),
};

OP_FAMILY(persistent_family, rows);
