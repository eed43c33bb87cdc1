/* Streams: a window of messages without a wait between them, as in OSU's osu_bw and osu_bibw. One
 * way, the server sends and the client acknowledges the window by an empty message. Both ways,
 * each side sends a window while it receives the other's, which needs no acknowledgement. With
 * persistent requests, both sides start and complete all of a window's at once.
 *
 * The cost of issuing ends when the last send has returned; what is left completes outside the
 * time. Its receives are posted and acknowledged before. */
#include "ops/arguments.h"

/* The tags of a thread. */
#define TAG        m->tag
#define TAG_ACK    (m->tag + 1)
#define TAG_POSTED (m->tag + 2)

/* State of the operation: requests to receive, then requests to send. */
static MPI_Request *receives(const struct measurement *m)
{
    return m->state;
}

static MPI_Request *sends(const struct measurement *m)
{
    return receives(m) + m->at.window;
}

static void window_init(struct measurement *m)
{
    MPI_Request *requests;
    allocated_array(&requests, 2 * (size_t)m->at.window);
    for (int i = 0; i < 2 * m->at.window; i++)
        requests[i] = MPI_REQUEST_NULL;
    m->state = requests;
}

/* Defines a function that makes a call with these last arguments for each message of a window. */
#define WINDOW(function, side, call, ...)                                                          \
    static void function                                                                           \
    {                                                                                              \
        MPI_Aint step = m->suite->options.buffers == BUFFERS_MANY ? m->side.stride : 0;            \
        char *at = m->side.at;                                                                     \
        for (int i = 0; i < m->at.window; i++, at += step)                                         \
            call(at, m->side.count, m->side.type, m->peer, TAG, __VA_ARGS__);                      \
    }

WINDOW(irecv(struct measurement *m), receive, MPI_Irecv, m->comm, &receives(m)[i])
WINDOW(isend(struct measurement *m), send, MPI_Isend, m->comm, &sends(m)[i])
WINDOW(send(struct measurement *m), send, MPI_Send, m->comm)

CALLED(wait_received, MPI_Waitall(m->at.window, receives(m), MPI_STATUSES_IGNORE))
CALLED(wait_sent, MPI_Waitall(m->at.window, sends(m), MPI_STATUSES_IGNORE))
CALLED(acknowledge, MPI_Send(NULL, 0, MPI_BYTE, m->peer, TAG_ACK, m->comm))
CALLED(wait_acknowledged, MPI_Recv(NULL, 0, MPI_BYTE, m->peer, TAG_ACK, m->comm, MPI_STATUS_IGNORE))

CALLED(end_sending, wait_sent(m); wait_acknowledged(m))
CALLED(isend_acknowledged, isend(m); end_sending(m))
CALLED(send_acknowledged, send(m); wait_acknowledged(m))
CALLED(wait_received_acknowledge, wait_received(m); acknowledge(m))
CALLED(irecv_acknowledge, irecv(m); wait_received_acknowledge(m))

CALLED(isend_both, irecv(m); isend(m); wait_sent(m); wait_received(m))

CALLED(send_both, irecv(m); send(m); wait_received(m))

static void post(struct measurement *m)
{
    if (!pattern_serves(m))
        irecv(m);
    pattern_tell(m, false, m->comm, TAG_POSTED);
}

CALLED(complete, if (pattern_serves(m)) end_sending(m))

/* Persistent: the requests of a window, of the side that receives it and the one that sends it. */
WINDOW(bind_receives(struct measurement *m, MPI_Request *requests), receive, MPI_Recv_init, m->comm,
       &requests[i])
WINDOW(bind_sends(struct measurement *m, MPI_Request *requests), send, MPI_Send_init, m->comm,
       &requests[i])

static void bind_both(struct measurement *m, MPI_Request *requests)
{
    bind_receives(m, requests);
    bind_sends(m, requests + m->at.window);
}

static void bind_own(struct measurement *m, MPI_Request *requests)
{
    (pattern_serves(m) ? bind_sends : bind_receives)(m, requests);
}

static void start_and_wait(int n, MPI_Request *requests)
{
    MPI_Startall(n, requests);
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
}

CALLED(start_window, start_and_wait(m->at.window, bound_requests(m)))
CALLED(start_both, start_and_wait(2 * m->at.window, bound_requests(m)))

CALLED(start_acknowledge, start_window(m); acknowledge(m))
CALLED(start_acknowledged, start_window(m); wait_acknowledged(m))

#define STREAM    SENDS_ONE, RECEIVES_ONE
#define ONE_WAY   STREAM, .rewrite = rewrite_as_server, .origin = from_server
#define BOTH_WAYS STREAM, .info.calls = 2, .origin = from_peer
#define ISSUE     ONE_WAY, .hooks.init = window_init, .hooks.prepare = post, .hooks.finalize = complete

static const struct op rows[] = {
    OP("Stream_MPI_Isend", "a window of MPI_Isend, then an acknowledgement; osu_bw", TYPE_WINDOW,
       ONE_WAY, .in = TIMED_P2P_PAIRS_TYPES(165, TIME_WINDOW, 175, TIME_PAIRS_WINDOW),
       .hooks.init = window_init, SIDES(isend_acknowledged, irecv_acknowledge)),
    OP("Stream_MPI_Send", "a window of MPI_Send, then an acknowledgement", TYPE_WINDOW, ONE_WAY,
       .in = TIMED_P2P_PAIRS_TYPES(166, TIME_WINDOW, 176, TIME_PAIRS_WINDOW),
       .hooks.init = window_init, SIDES(send_acknowledged, irecv_acknowledge)),
    OP("Stream_both_MPI_Isend", "windows of MPI_Isend in both directions; osu_bibw", TYPE_WINDOW,
       BOTH_WAYS, .in = TIMED_P2P_PAIRS_TYPES(167, TIME_WINDOWS, 177, TIME_PAIRS_WINDOWS),
       .hooks.init = window_init, SIDES(isend_both, isend_both)),
    OP("Stream_both_MPI_Send", "windows of MPI_Send in both directions", TYPE_WINDOW, BOTH_WAYS,
       .in = TIMED_P2P_PAIRS_TYPES(168, TIME_WINDOWS, 178, TIME_PAIRS_WINDOWS),
       .hooks.init = window_init, SIDES(send_both, send_both)),
    OP("Stream_Persistent", "MPI_Startall and MPI_Waitall of a window, then an acknowledgement",
       TYPE_WINDOW | TYPE_BOUND, ONE_WAY,
       .in = TIMED_P2P_PAIRS_TYPES(373, TIME_WINDOW, 374, TIME_PAIRS_WINDOW), BOUND_HOOKS,
       FORM(bound_form, .bind = bind_own, .windows = 1),
       SIDES(start_acknowledged, start_acknowledge)),
    OP("Stream_both_Persistent", "MPI_Startall and MPI_Waitall of windows in both directions",
       TYPE_WINDOW | TYPE_BOUND, BOTH_WAYS,
       .in = TIMED_P2P_PAIRS_TYPES(375, TIME_WINDOWS, 376, TIME_PAIRS_WINDOWS), BOUND_HOOKS,
       FORM(bound_form, .bind = bind_both, .windows = 2), SIDES(start_both, start_both)),
    OP("Issue_MPI_Isend", "the cost of issuing a window of MPI_Isend", TYPE_WINDOW, ISSUE,
       .in = TIMED_P2P_TYPE(169, TIME_ISSUE), SIDES(isend, wait_received_acknowledge)),
    OP("Issue_MPI_Send", "the cost of issuing a window of MPI_Send", TYPE_WINDOW, ISSUE,
       .in = TIMED_P2P_TYPE(171, TIME_ISSUE), SIDES(send, wait_received_acknowledge)),
};

OP_FAMILY(stream_family, rows);
