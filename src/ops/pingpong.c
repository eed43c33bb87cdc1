/* Ping-pong operations (manual table 3.2). Non-blocking ones are followed by MPI_Wait at once, so
 * that the whole transfer is timed (manual 1.5.1). In MPI_Sendrecv and MPI_Sendrecv_replace both
 * sides send first: half of two exchanges is timed. */
#include "ops/arguments.h"

#include "context/library.h"

#include <sched.h>

enum { TAG = 1, TAG_POSTED = 2 };

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

static int bsend_attach(struct measurement *m, struct err *e)
{
    MPI_Buffer_attach(m->attached, (int)m->sizes.attached);
    return 0;
}

static void bsend_detach(struct measurement *m)
{
    void *buffer;
    int size;
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
    char *packed = malloc((size_t)most + 1);
    if (packed == NULL)
        return err_no_memory(e, (unsigned)most);
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
#define BOTH_ORDERS(send, receive)                                                                 \
    IN_TURN(send, receive)                                                                         \
    IN_TURN(receive, send)

BOTH_ORDERS(send, receive)
BOTH_ORDERS(send, receive_any_tag)
BOTH_ORDERS(send, irecv)
BOTH_ORDERS(send, iprobe_receive)
BOTH_ORDERS(ssend, receive)
BOTH_ORDERS(isend, receive)
BOTH_ORDERS(issend, receive)
BOTH_ORDERS(bsend, receive)
BOTH_ORDERS(ibsend, receive)
BOTH_ORDERS(send_c, receive_c)
BOTH_ORDERS(pack_send, receive_unpack)
BOTH_ORDERS(rsend, wait_posted)
BOTH_ORDERS(irsend, wait_posted)

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

/* A process that sends and receives in turn can do so in one buffer. */
#define IN_TURN_OPTIONS .info.options = OPTIONS(OPTION_BUFFERS), .origin = from_peer

#define PING_PONG(types, name, text, send, receive)                                                \
    OP(name, text, TYPE_HAS_LENGTH, ONE_LENGTH, ONE_LENGTH, .in = types, IN_TURN_OPTIONS,          \
       .hooks = { .server_op = send##_##receive, .client_op = receive##_##send })

/* Both sides make the same call. */
#define EXCHANGE(types, calls_, time_, name, text, both, ...)                                      \
    OP(name, text, TYPE_HAS_LENGTH, ONE_LENGTH, ONE_LENGTH, .in = types, .info.time = time_,       \
       .calls = calls_, .hooks = { .server_op = both, .client_op = both }, .origin = from_peer,    \
       __VA_ARGS__)

#define REPLACE(number, name, text, both, needs_)                                                  \
    OP(name, text, TYPE_HAS_LENGTH | TYPE_ONE_DATATYPE, ONE_LENGTH, NO_LENGTH,                     \
       .in = TIMED_P2P_TYPE(number, TIME_EXCHANGE), .info.needs = needs_, .calls = 2,              \
       .hooks = { .server_op = both, .client_op = both }, .origin = from_peer)

#define BUFFERED(types, name, text, send)                                                          \
    OP(name, text, TYPE_HAS_LENGTH, ONE_LENGTH, ONE_LENGTH, .info.attached = TWO_LENGTHS,          \
       .in = types, IN_TURN_OPTIONS,                                                               \
       .hooks = { bsend_attach, NULL, send##_receive, receive_##send, NULL, bsend_detach })

#define READY(number, name, text, server, client)                                                  \
    OP(name, text, TYPE_HAS_LENGTH, ONE_LENGTH, ONE_LENGTH, .in = P2P_TYPE(number),                \
       .info.time = TIME_POSTED_ROUND_TRIP,                                                        \
       .hooks = { .prepare = post, .server_op = server, .client_op = client },                     \
       .origin = from_peer)

static const struct op rows[] = {
    OP("MPI_Send-MPI_Recv", "MPI_Send and MPI_Recv", TYPE_HAS_LENGTH | TYPE_PACKS, ONE_LENGTH,
       ONE_LENGTH, .in = P2P_PAIRS_TYPES(1, 160), IN_TURN_OPTIONS,
       .hooks = { .server_op = send_receive, .client_op = receive_send },
       .counted = { .server_op = send_c_receive_c, .client_op = receive_c_send_c },
       .packed = { .init = packed_init,
                   .server_op = pack_send_receive_unpack,
                   .client_op = receive_unpack_pack_send }),
    PING_PONG(P2P_TYPE(2), "MPI_Send-MPI_Recv_with_Any_Tag",
              "MPI_Send and MPI_Recv with MPI_ANY_TAG", send, receive_any_tag),
    PING_PONG(P2P_TYPE(3), "MPI_Send-MPI_Irecv", "MPI_Send and MPI_Irecv, MPI_Wait", send, irecv),
    PING_PONG(P2P_TYPE(4), "MPI_Send-MPI_Iprobe_Recv",
              "MPI_Send and MPI_Iprobe until it arrives, MPI_Recv", send, iprobe_receive),
    PING_PONG(P2P_PAIRS_TYPES(5, 161), "MPI_Ssend-MPI_Recv", "MPI_Ssend and MPI_Recv", ssend,
              receive),
    PING_PONG(P2P_PAIRS_TYPES(6, 162), "MPI_Isend-MPI_Recv", "MPI_Isend, MPI_Wait and MPI_Recv",
              isend, receive),
    BUFFERED(P2P_PAIRS_TYPES(7, 163), "MPI_Bsend-MPI_Recv", "MPI_Bsend and MPI_Recv", bsend),
    EXCHANGE(P2P_TYPE(8), 2, TIME_EXCHANGE, "MPI_Sendrecv", "MPI_Sendrecv on both sides at once",
             sendrecv, ),
    EXCHANGE(PAIRS_TYPE(180), 0, TIME_PAIRS_EXCHANGE, "MPI_Sendrecv",
             "MPI_Sendrecv on both sides of each pair", sendrecv, ),
    EXCHANGE(P2P_TYPE(181), 2, TIME_EXCHANGE, "PingPing",
             "MPI_Isend, MPI_Recv and MPI_Wait on both sides at once", isend_receive_wait, ),
    EXCHANGE(PAIRS_TYPE(182), 0, TIME_PAIRS_EXCHANGE, "PingPing",
             "MPI_Isend, MPI_Recv and MPI_Wait on both sides of each pair", isend_receive_wait, ),
    EXCHANGE(P2P_TYPE(267), 2, TIME_EXCHANGE, "MPI_Isendrecv",
             "MPI_Isendrecv and MPI_Wait on both sides at once", isendrecv,
             .info.needs = NEEDS_ISENDRECV | NEEDS_DERIVED_ISENDRECV),
    REPLACE(9, "MPI_Sendrecv_replace", "MPI_Sendrecv_replace on both sides at once",
            sendrecv_replace, NEEDS_EMPTY_REPLACE),
    REPLACE(268, "MPI_Isendrecv_replace",
            "MPI_Isendrecv_replace and MPI_Wait on both sides at once", isendrecv_replace,
            NEEDS_ISENDRECV | NEEDS_DERIVED_ISENDRECV),
    PING_PONG(P2P_TYPE(34), "MPI_Issend-MPI_Recv", "MPI_Issend, MPI_Wait and MPI_Recv", issend,
              receive),
    READY(172, "MPI_Rsend-MPI_Irecv", "MPI_Rsend to an MPI_Irecv posted before, MPI_Wait",
          rsend_wait_posted, wait_posted_rsend),
    READY(173, "MPI_Irsend-MPI_Irecv",
          "MPI_Irsend, MPI_Wait to an MPI_Irecv posted before, MPI_Wait", irsend_wait_posted,
          wait_posted_irsend),
    BUFFERED(P2P_TYPE(174), "MPI_Ibsend-MPI_Recv", "MPI_Ibsend, MPI_Wait and MPI_Recv", ibsend),
};

OP_FAMILY(pingpong_family, rows);
