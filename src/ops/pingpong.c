/* Ping-pong operations (manual table 3.2). Non-blocking ones are followed by MPI_Wait at once, so
 * that the whole transfer is timed (manual 1.5.1). In MPI_Sendrecv and MPI_Sendrecv_replace both
 * sides send first: half of two exchanges is timed. */
#include "ops/arguments.h"

#include "context/library.h"

#include <sched.h>

enum { TAG = 1, TAG_POSTED = 2 };

CALLED(send, MPI_Send(SENT, r->peer, TAG, r->comm))
CALLED(receive, MPI_Recv(RECEIVED, r->peer, TAG, r->comm, MPI_STATUS_IGNORE))
CALLED(receive_any_tag, MPI_Recv(RECEIVED, r->peer, MPI_ANY_TAG, r->comm, MPI_STATUS_IGNORE))
AWAITED(irecv, MPI_Irecv(RECEIVED, r->peer, TAG, r->comm, &request))

static void iprobe_receive(struct run *r)
{
    int there = 0;
    MPI_Iprobe(r->peer, TAG, r->comm, &there, MPI_STATUS_IGNORE);
    while (!there) {
        if (r->machine->clock.yield)
            sched_yield();
        MPI_Iprobe(r->peer, TAG, r->comm, &there, MPI_STATUS_IGNORE);
    }
    receive(r);
}

CALLED(ssend, MPI_Ssend(SENT, r->peer, TAG, r->comm))
AWAITED(isend, MPI_Isend(SENT, r->peer, TAG, r->comm, &request))
AWAITED(issend, MPI_Issend(SENT, r->peer, TAG, r->comm, &request))
CALLED(bsend, MPI_Bsend(SENT, r->peer, TAG, r->comm))
AWAITED(ibsend, MPI_Ibsend(SENT, r->peer, TAG, r->comm, &request))

static int bsend_attach(struct run *r, struct err *e)
{
    MPI_Buffer_attach(r->attached, (int)r->sizes.attached);
    return 0;
}

static void bsend_detach(struct run *r)
{
    void *buffer;
    int size;
    MPI_Buffer_detach(&buffer, &size);
}

/* method=pack: the attached memory holds a packed message to send, followed by one to receive. */
static int packed_room(const struct run *r)
{
    return (int)(r->sizes.attached / 2);
}

/* MPI_Pack_size may ask for more than MPI_Pack uses (SimGrid: for the gaps too): the first message
 * shows what is used. Packed elsewhere, since it may be longer than the room. */
static int packed_init(struct run *r, struct err *e)
{
    int most, used = 0, room = packed_room(r);
    MPI_Pack_size(r->send.count, r->send.type, r->comm, &most);
    char *packed = malloc((size_t)most + 1);
    if (packed == NULL)
        return err_no_memory(e, (unsigned)most);
    MPI_Pack(r->send.at, r->send.count, r->send.type, packed, most, &used, r->comm);
    free(packed);
    return used <= room ? 0
                        : err_set(e,
                                  "a message of %ld bytes is packed into %d, but the buffer has %d "
                                  "bytes",
                                  r->at.length, used, room);
}

static void pack_send(struct run *r)
{
    int bytes = 0;
    MPI_Pack(SENT, r->attached, packed_room(r), &bytes, r->comm);
    MPI_Send(r->attached, bytes, MPI_PACKED, r->peer, TAG, r->comm);
}

static void receive_unpack(struct run *r)
{
    char *packed = r->attached + packed_room(r);
    int at = 0, room = packed_room(r);
    MPI_Recv(packed, room, MPI_PACKED, r->peer, TAG, r->comm, MPI_STATUS_IGNORE);
    MPI_Unpack(packed, room, &at, RECEIVED, r->comm);
}

/* counts=c */
CALLED(send_c, COUNTED_CALL(Send, SENT_C, r->peer, TAG, r->comm))
CALLED(receive_c, COUNTED_CALL(Recv, RECEIVED_C, r->peer, TAG, r->comm, MPI_STATUS_IGNORE))

/* Ready sends require that the receive is posted. Before each repetition both sides post theirs,
 * and the client acknowledges that its own is posted; the server's is before its message leaves. */
CALLED(post, MPI_Irecv(RECEIVED, r->peer, TAG, r->comm, r->requests);
       pattern_tell(r, false, r->comm, TAG_POSTED))

CALLED(wait_posted, MPI_Wait(r->requests, MPI_STATUS_IGNORE))
CALLED(rsend, MPI_Rsend(SENT, r->peer, TAG, r->comm))
AWAITED(irsend, MPI_Irsend(SENT, r->peer, TAG, r->comm, &request))

/* What the two sides of a ping-pong do. */
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
       MPI_Sendrecv(SENT, r->peer, TAG, RECEIVED, r->peer, TAG, r->comm, MPI_STATUS_IGNORE))
CALLED(sendrecv_replace,
       MPI_Sendrecv_replace(SENT, r->peer, TAG, r->peer, TAG, r->comm, MPI_STATUS_IGNORE))
AWAITED(isendrecv, MPI_Isendrecv(SENT, r->peer, TAG, RECEIVED, r->peer, TAG, r->comm, &request))
AWAITED(isendrecv_replace,
        MPI_Isendrecv_replace(SENT, r->peer, TAG, r->peer, TAG, r->comm, &request))

static void isend_receive_wait(struct run *r)
{
    MPI_Request request;
    MPI_Isend(SENT, r->peer, TAG, r->comm, &request);
    receive(r);
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

/* In the send buffer. */
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
