/* Ping-pong operations (manual table 3.2). Non-blocking ones are followed by MPI_Wait at once, so
 * that the whole transfer is timed (manual 1.5.1). In MPI_Sendrecv and MPI_Sendrecv_replace both
 * sides send first: half of two exchanges is timed. */
#include "ops/arguments.h"

#include "context/library.h"

#include <sched.h>

/* The tags of a thread. */
#define TAG        m->tag
#define TAG_POSTED (m->tag + 1)

CALLED(send, MPI_Send(SENT, m->peer, TAG, m->comm))
CALLED(receive, MPI_Recv(RECEIVED, m->peer, TAG, m->comm, MPI_STATUS_IGNORE))
CALLED(receive_any_tag, MPI_Recv(RECEIVED, m->peer, MPI_ANY_TAG, m->comm, MPI_STATUS_IGNORE))
AWAITED(irecv, MPI_Irecv(RECEIVED, m->peer, TAG, m->comm, &request))

static void iprobe_receive(struct measurement *m)
{
    int there = 0;
    MPI_Iprobe(m->peer, TAG, m->comm, &there, MPI_STATUS_IGNORE);
    while (!there) {
        if (m->resources->clock.yield)
            sched_yield();
        MPI_Iprobe(m->peer, TAG, m->comm, &there, MPI_STATUS_IGNORE);
    }
    receive(m);
}

CALLED(ssend, MPI_Ssend(SENT, m->peer, TAG, m->comm))
AWAITED(isend, MPI_Isend(SENT, m->peer, TAG, m->comm, &request))
AWAITED(issend, MPI_Issend(SENT, m->peer, TAG, m->comm, &request))
CALLED(bsend, MPI_Bsend(SENT, m->peer, TAG, m->comm))
AWAITED(ibsend, MPI_Ibsend(SENT, m->peer, TAG, m->comm, &request))

/* One buffer serves all threads of the process. */
static void bsend_attach(struct measurement *m)
{
    if (m->thread == 0)
        MPI_Buffer_attach(m->attached, (int)m->sizes.attached * (m->sizes.more + 1));
}

static void bsend_detach(struct measurement *m)
{
    void *buffer;
    int size;
    if (m->thread == 0)
        MPI_Buffer_detach(&buffer, &size);
}

/* method=pack: the attached memory holds a packed message to send, followed by one to receive. */
static int packed_room(const struct measurement *m)
{
    return (int)(m->sizes.attached / 2);
}

/* MPI_Pack_size may ask for more than MPI_Pack uses (SimGrid: for the gaps too): the first message
 * shows the size. Packed elsewhere, since it may be longer than the room. */
static int packed_init(struct measurement *m, struct err *e)
{
    int most, used = 0, room = packed_room(m);
    MPI_Pack_size(m->send.count, m->send.type, m->comm, &most);
    char *packed = memory_new((size_t)most, 1, e);
    if (packed == NULL)
        return -1;
    MPI_Pack(m->send.at, m->send.count, m->send.type, packed, most, &used, m->comm);
    free(packed);
    return used <= room ? 0
                        : err_set(e,
                                  "a message of %ld bytes is packed into %d, but the buffer has %d "
                                  "bytes",
                                  m->at.length, used, room);
}

static void pack_send(struct measurement *m)
{
    int bytes = 0;
    MPI_Pack(SENT, m->attached, packed_room(m), &bytes, m->comm);
    MPI_Send(m->attached, bytes, MPI_PACKED, m->peer, TAG, m->comm);
}

static void receive_unpack(struct measurement *m)
{
    char *packed = m->attached + packed_room(m);
    int at = 0, room = packed_room(m);
    MPI_Recv(packed, room, MPI_PACKED, m->peer, TAG, m->comm, MPI_STATUS_IGNORE);
    MPI_Unpack(packed, room, &at, RECEIVED, m->comm);
}

/* counts=c */
CALLED(send_c, COUNTED_CALL(Send, SENT_C, m->peer, TAG, m->comm))
CALLED(receive_c, COUNTED_CALL(Recv, RECEIVED_C, m->peer, TAG, m->comm, MPI_STATUS_IGNORE))

/* Posts a receive: ready sends require it. Before each repetition both sides post theirs, and the
 * client acknowledges that its own is posted; the server's is before its message leaves. */
CALLED(post, MPI_Irecv(RECEIVED, m->peer, TAG, m->comm, m->requests);
       pattern_tell(m, false, m->comm, TAG_POSTED))

CALLED(wait_posted, MPI_Wait(m->requests, MPI_STATUS_IGNORE))
CALLED(rsend, MPI_Rsend(SENT, m->peer, TAG, m->comm))
AWAITED(irsend, MPI_Irsend(SENT, m->peer, TAG, m->comm, &request))

/* Defines the two sides of a ping-pong. */
#define BOTH_ORDERS(send_first, receive_first, send, receive)                                      \
    CALLED(send_first, send(m); receive(m))                                                        \
    CALLED(receive_first, receive(m); send(m))                                                     \
    CALLED(staged_##receive_first, receive(m); pattern_stage_received(m); pattern_stage_sent(m);   \
           send(m))

BOTH_ORDERS(send_receive, receive_send, send, receive)
BOTH_ORDERS(send_receive_any, receive_any_send, send, receive_any_tag)
BOTH_ORDERS(send_irecv, irecv_send, send, irecv)
BOTH_ORDERS(send_iprobe, iprobe_send, send, iprobe_receive)
BOTH_ORDERS(ssend_receive, receive_ssend, ssend, receive)
BOTH_ORDERS(isend_receive, receive_isend, isend, receive)
BOTH_ORDERS(issend_receive, receive_issend, issend, receive)
BOTH_ORDERS(bsend_receive, receive_bsend, bsend, receive)
BOTH_ORDERS(ibsend_receive, receive_ibsend, ibsend, receive)
BOTH_ORDERS(send_receive_c, receive_send_c, send_c, receive_c)
BOTH_ORDERS(pack_send_receive, receive_pack_send, pack_send, receive_unpack)
BOTH_ORDERS(rsend_wait, wait_rsend, rsend, wait_posted)
BOTH_ORDERS(irsend_wait, wait_irsend, irsend, wait_posted)

CALLED(sendrecv,
       MPI_Sendrecv(SENT, m->peer, TAG, RECEIVED, m->peer, TAG, m->comm, MPI_STATUS_IGNORE))
CALLED(sendrecv_replace,
       MPI_Sendrecv_replace(SENT, m->peer, TAG, m->peer, TAG, m->comm, MPI_STATUS_IGNORE))
AWAITED(isendrecv, MPI_Isendrecv(SENT, m->peer, TAG, RECEIVED, m->peer, TAG, m->comm, &request))
AWAITED(isendrecv_replace,
        MPI_Isendrecv_replace(SENT, m->peer, TAG, m->peer, TAG, m->comm, &request))

static void isend_receive_wait(struct measurement *m)
{
    MPI_Request request;
    MPI_Isend(SENT, m->peer, TAG, m->comm, &request);
    receive(m);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

#define ORDERS(server, client) SIDES(server, client), .hooks.staged_client = staged_##client
#define ONE_EACH_WAY           SENDS_ONE, RECEIVES_ONE, .origin = from_peer
/* A process that sends and receives in turn can do so in one buffer. */
#define IN_TURN ONE_EACH_WAY, .info.options = OPTIONS(OPTION_BUFFERS)
#define BUFFERED                                                                                   \
    .info.attached = { .once = 2 }, .hooks.init = bsend_attach, .hooks.free = bsend_detach
#define POSTED ONE_EACH_WAY, .info.time = TIME_POSTED_ROUND_TRIP, .hooks.prepare = post
/* Half of two exchanges is timed; of a pair, one. */
#define AT_ONCE       .info.time = TIME_EXCHANGE, .info.calls = 2
#define PAIRS_AT_ONCE .info.time = TIME_PAIRS_EXCHANGE

/* Persistent communication: requests are created before the measurement, and each repetition starts
 * and completes them. Creating and freeing them has types of its own. */
enum { SEND, RECEIVE, ONE_OF_EACH };

static void bind_ping_pong(struct measurement *m, MPI_Request *q)
{
    MPI_Send_init(SENT, m->peer, TAG, m->comm, &q[SEND]);
    MPI_Recv_init(RECEIVED, m->peer, TAG, m->comm, &q[RECEIVE]);
}

CALLED(start_send_receive, MPI_Request *q = bound_requests(m); start_wait(&q[SEND]);
       start_wait(&q[RECEIVE]))
CALLED(start_receive_send, MPI_Request *q = bound_requests(m); start_wait(&q[RECEIVE]);
       start_wait(&q[SEND]))
CALLED(staged_start_receive_send, MPI_Request *q = bound_requests(m); start_wait(&q[RECEIVE]);
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
    SENDS_ONE, RECEIVES_ONE, .origin = from_peer, BOUND_HOOKS,                                     \
                             FORM(bound_form, .bind = bind_ping_pong, .each = ONE_OF_EACH)

static const struct op rows[] = {
    OP("MPI_Send-MPI_Recv", "MPI_Send and MPI_Recv", TYPE_PACKS, IN_TURN,
       .in = P2P_PAIRS_TYPES(1, 160), ORDERS(send_receive, receive_send),
       .counted = { .server_op = send_receive_c,
                    .client_op = receive_send_c,
                    .staged_client = staged_receive_send_c },
       .packed = { .try_init = packed_init,
                   .server_op = pack_send_receive,
                   .client_op = receive_pack_send,
                   .staged_client = staged_receive_pack_send }),
    OP("MPI_Send-MPI_Recv_with_Any_Tag", "MPI_Send and MPI_Recv with MPI_ANY_TAG", TYPE_ANY_TAG,
       IN_TURN, .in = P2P_TYPE(2), ORDERS(send_receive_any, receive_any_send)),
    OP("MPI_Send-MPI_Irecv", "MPI_Send and MPI_Irecv, MPI_Wait", 0, IN_TURN, .in = P2P_TYPE(3),
       ORDERS(send_irecv, irecv_send)),
    OP("MPI_Send-MPI_Iprobe_Recv", "MPI_Send and MPI_Iprobe until it arrives, MPI_Recv", 0, IN_TURN,
       .in = P2P_TYPE(4), ORDERS(send_iprobe, iprobe_send)),
    OP("MPI_Ssend-MPI_Recv", "MPI_Ssend and MPI_Recv", 0, IN_TURN, .in = P2P_PAIRS_TYPES(5, 161),
       ORDERS(ssend_receive, receive_ssend)),
    OP("MPI_Isend-MPI_Recv", "MPI_Isend, MPI_Wait and MPI_Recv", 0, IN_TURN,
       .in = P2P_PAIRS_TYPES(6, 162), ORDERS(isend_receive, receive_isend)),
    OP("MPI_Bsend-MPI_Recv", "MPI_Bsend and MPI_Recv", 0, IN_TURN, BUFFERED,
       .in = P2P_PAIRS_TYPES(7, 163), ORDERS(bsend_receive, receive_bsend)),
    OP("MPI_Sendrecv", "MPI_Sendrecv on both sides at once", 0, ONE_EACH_WAY, AT_ONCE,
       .in = P2P_TYPE(8), SIDES(sendrecv, sendrecv)),
    OP("MPI_Sendrecv", "MPI_Sendrecv on both sides of each pair", 0, ONE_EACH_WAY, PAIRS_AT_ONCE,
       .in = PAIRS_TYPE(180), SIDES(sendrecv, sendrecv)),
    OP("PingPing", "MPI_Isend, MPI_Recv and MPI_Wait on both sides at once", 0, ONE_EACH_WAY,
       AT_ONCE, .in = P2P_TYPE(181), SIDES(isend_receive_wait, isend_receive_wait)),
    OP("PingPing", "MPI_Isend, MPI_Recv and MPI_Wait on both sides of each pair", 0, ONE_EACH_WAY,
       PAIRS_AT_ONCE, .in = PAIRS_TYPE(182), SIDES(isend_receive_wait, isend_receive_wait)),
    OP("MPI_Isendrecv", "MPI_Isendrecv and MPI_Wait on both sides at once", 0, ONE_EACH_WAY,
       AT_ONCE, .in = P2P_TYPE(267), SIDES(isendrecv, isendrecv),
       .info.needs = NEEDS_ISENDRECV | NEEDS_DERIVED_ISENDRECV),
    OP("MPI_Sendrecv_replace", "MPI_Sendrecv_replace on both sides at once", TYPE_ONE_DATATYPE,
       SENDS_ONE, AT_ONCE, .in = P2P_TYPE(9), SIDES(sendrecv_replace, sendrecv_replace),
       .info.needs = NEEDS_EMPTY_REPLACE, .origin = from_peer),
    OP("MPI_Isendrecv_replace", "MPI_Isendrecv_replace and MPI_Wait on both sides at once",
       TYPE_ONE_DATATYPE, SENDS_ONE, AT_ONCE, .in = P2P_TYPE(268),
       SIDES(isendrecv_replace, isendrecv_replace), .origin = from_peer,
       .info.needs = NEEDS_ISENDRECV | NEEDS_DERIVED_ISENDRECV),
    OP("MPI_Issend-MPI_Recv", "MPI_Issend, MPI_Wait and MPI_Recv", 0, IN_TURN, .in = P2P_TYPE(34),
       ORDERS(issend_receive, receive_issend)),
    OP("MPI_Rsend-MPI_Irecv", "MPI_Rsend to an MPI_Irecv posted before, MPI_Wait", 0, POSTED,
       .in = P2P_TYPE(172), ORDERS(rsend_wait, wait_rsend)),
    OP("MPI_Irsend-MPI_Irecv", "MPI_Irsend, MPI_Wait to an MPI_Irecv posted before, MPI_Wait", 0,
       POSTED, .in = P2P_TYPE(173), ORDERS(irsend_wait, wait_irsend)),
    OP("MPI_Ibsend-MPI_Recv", "MPI_Ibsend, MPI_Wait and MPI_Recv", 0, IN_TURN, BUFFERED,
       .in = P2P_TYPE(174), ORDERS(ibsend_receive, receive_ibsend)),
    OP("Persistent_Send-Recv", "MPI_Start and MPI_Wait of a send, then of a receive", TYPE_BOUND,
       BOUND, .in = P2P_TYPE(260), SIDES(start_send_receive, start_receive_send),
       .hooks.staged_client = staged_start_receive_send),
    OP("Persistent_Startall", "MPI_Startall and MPI_Waitall of both on both sides", TYPE_BOUND,
       BOUND, .in = TIMED_P2P_TYPE(261, TIME_EXCHANGE), .info.calls = 2, SIDES(exchange, exchange)),
    OP("MPI_Send_init", "MPI_Send_init and MPI_Request_free", 0, .in = SIMPLE_TYPE(262),
       .info.needs = NEEDS_OWN_TIME, .hooks.server_op = create_send),
    OP("MPI_Recv_init", "MPI_Recv_init and MPI_Request_free", 0, .in = SIMPLE_TYPE(377),
       .info.needs = NEEDS_OWN_TIME, .hooks.server_op = create_receive),
};

OP_FAMILY(pingpong_family, rows);
