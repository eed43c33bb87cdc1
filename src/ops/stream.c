/* Streams: a window of messages without a wait between them, as in OSU's osu_bw and osu_bibw. One
 * way, the server sends and the client acknowledges the window by an empty message. Both ways,
 * each side sends a window while it receives the other's, which needs no acknowledgement. With
 * persistent requests, both sides start and complete all of a window's at once.
 *
 * The cost of issuing ends when the last send has returned; what is left completes outside the
 * time. Its receives are posted and acknowledged before. */
#include "ops/arguments.h"
#include "model/suite.h"

enum { TAG = 1, TAG_ACK = 2, TAG_POSTED = 3 };

/* State of the operation: requests to receive, then requests to send. */
static MPI_Request *receives(const struct run *r)
{
    return r->state;
}

static MPI_Request *sends(const struct run *r)
{
    return receives(r) + r->at.window;
}

static int window_init(struct run *r, struct err *e)
{
    size_t bytes = 2 * (size_t)r->at.window * sizeof(MPI_Request);
    MPI_Request *requests = malloc(bytes);
    if (requests == NULL)
        return err_no_memory(e, bytes);
    for (int i = 0; i < 2 * r->at.window; i++)
        requests[i] = MPI_REQUEST_NULL;
    r->state = requests;
    return 0;
}

static bool has_many_buffers(const struct run *r)
{
    return r->suite->options.buffers == BUFFERS_MANY;
}

static void wait_for(const struct run *r, MPI_Request *requests)
{
    MPI_Waitall(r->at.window, requests, MPI_STATUSES_IGNORE);
}

/* Defines a function that makes a call with these last arguments for each message of a window. */
#define WINDOW(function, side, call, ...)                                                          \
    static void function                                                                           \
    {                                                                                              \
        MPI_Aint step = has_many_buffers(r) ? r->side.stride : 0;                                  \
        char *at = r->side.at;                                                                     \
        for (int i = 0; i < r->at.window; i++, at += step)                                         \
            call(at, r->side.count, r->side.type, r->peer, TAG, __VA_ARGS__);                      \
    }

WINDOW(irecv_window(struct run *r), receive, MPI_Irecv, r->comm, &receives(r)[i])
WINDOW(isend_window(struct run *r), send, MPI_Isend, r->comm, &sends(r)[i])
WINDOW(send_window(struct run *r), send, MPI_Send, r->comm)

static void receive_empty(const struct run *r, int tag)
{
    MPI_Recv(NULL, 0, MPI_BYTE, r->peer, tag, r->comm, MPI_STATUS_IGNORE);
}

static void send_empty(const struct run *r, int tag)
{
    MPI_Send(NULL, 0, MPI_BYTE, r->peer, tag, r->comm);
}

static void receive_acknowledge(struct run *r)
{
    irecv_window(r);
    wait_for(r, receives(r));
    send_empty(r, TAG_ACK);
}

static void isend_acknowledged(struct run *r)
{
    isend_window(r);
    wait_for(r, sends(r));
    receive_empty(r, TAG_ACK);
}

static void send_acknowledged(struct run *r)
{
    send_window(r);
    receive_empty(r, TAG_ACK);
}

static void isend_both(struct run *r)
{
    irecv_window(r);
    isend_window(r);
    wait_for(r, sends(r));
    wait_for(r, receives(r));
}

static void send_both(struct run *r)
{
    irecv_window(r);
    send_window(r);
    wait_for(r, receives(r));
}

static void post(struct run *r)
{
    if (!pattern_serves(r))
        irecv_window(r);
    pattern_tell(r, false, r->comm, TAG_POSTED);
}

static void acknowledge_posted(struct run *r)
{
    wait_for(r, receives(r));
    send_empty(r, TAG_ACK);
}

static void complete(struct run *r)
{
    if (!pattern_serves(r))
        return;
    wait_for(r, sends(r));
    receive_empty(r, TAG_ACK);
}

/* Persistent: the requests of a window, of the side that receives it and of the one that sends it.
 */
WINDOW(bind_receives(struct run *r, MPI_Request *requests), receive, MPI_Recv_init, r->comm,
       &requests[i])
WINDOW(bind_sends(struct run *r, MPI_Request *requests), send, MPI_Send_init, r->comm, &requests[i])

static void bind_both(struct run *r, MPI_Request *requests)
{
    bind_receives(r, requests);
    bind_sends(r, requests + r->at.window);
}

static int bound_window_init(struct run *r, struct err *e)
{
    return bound_init(r, r->at.window, pattern_serves(r) ? bind_sends : bind_receives, e);
}

static int bound_windows_init(struct run *r, struct err *e)
{
    return bound_init(r, 2 * r->at.window, bind_both, e);
}

static void start_and_wait(int n, MPI_Request *requests)
{
    MPI_Startall(n, requests);
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
}

static void bound_acknowledged(struct run *r)
{
    start_and_wait(r->at.window, bound_requests(r));
    receive_empty(r, TAG_ACK);
}

static void bound_acknowledge(struct run *r)
{
    start_and_wait(r->at.window, bound_requests(r));
    send_empty(r, TAG_ACK);
}

static void start_both(struct run *r)
{
    start_and_wait(2 * r->at.window, bound_requests(r));
}

#define STREAM(name, text, more, ...)                                                              \
    OP(name, text, TYPE_HAS_LENGTH | TYPE_WINDOW | (more), ONE_LENGTH, ONE_LENGTH,                 \
       .info.options = OPTIONS(OPTION_WINDOW, OPTION_BUFFERS), __VA_ARGS__)
#define HOOKS(server, client) .init = window_init, .server_op = server, .client_op = client
#define BOUND_HOOKS(init_, server, client)                                                         \
    .state = sizeof(struct bound), .init = init_, .server_op = server, .client_op = client,        \
    .free = bound_free
#define ISSUE_HOOKS(server) HOOKS(server, acknowledge_posted), .prepare = post, .finalize = complete

static const struct op rows[] = {
    STREAM("Stream_MPI_Isend", "a window of MPI_Isend, then an acknowledgement; osu_bw", 0,
           .in = TIMED_P2P_PAIRS_TYPES(165, TIME_WINDOW, 175, TIME_PAIRS_WINDOW),
           .hooks = { HOOKS(isend_acknowledged, receive_acknowledge) },
           .rewrite = rewrite_as_server, .origin = from_server),
    STREAM("Stream_MPI_Send", "a window of MPI_Send, then an acknowledgement", 0,
           .in = TIMED_P2P_PAIRS_TYPES(166, TIME_WINDOW, 176, TIME_PAIRS_WINDOW),
           .hooks = { HOOKS(send_acknowledged, receive_acknowledge) }, .rewrite = rewrite_as_server,
           .origin = from_server),
    STREAM("Stream_both_MPI_Isend", "windows of MPI_Isend in both directions; osu_bibw", 0,
           .in = TIMED_P2P_PAIRS_TYPES(167, TIME_WINDOWS, 177, TIME_PAIRS_WINDOWS), .calls = 2,
           .hooks = { HOOKS(isend_both, isend_both) }, .origin = from_peer),
    STREAM("Stream_both_MPI_Send", "windows of MPI_Send in both directions", 0,
           .in = TIMED_P2P_PAIRS_TYPES(168, TIME_WINDOWS, 178, TIME_PAIRS_WINDOWS), .calls = 2,
           .hooks = { HOOKS(send_both, send_both) }, .origin = from_peer),
    STREAM("Stream_Persistent", "MPI_Startall and MPI_Waitall of a window, then an acknowledgement",
           TYPE_BOUND, .in = TIMED_P2P_PAIRS_TYPES(373, TIME_WINDOW, 374, TIME_PAIRS_WINDOW),
           .hooks = { BOUND_HOOKS(bound_window_init, bound_acknowledged, bound_acknowledge) },
           .rewrite = rewrite_as_server, .origin = from_server),
    STREAM("Stream_both_Persistent", "MPI_Startall and MPI_Waitall of windows in both directions",
           TYPE_BOUND, .in = TIMED_P2P_PAIRS_TYPES(375, TIME_WINDOWS, 376, TIME_PAIRS_WINDOWS),
           .calls = 2, .hooks = { BOUND_HOOKS(bound_windows_init, start_both, start_both) },
           .origin = from_peer),
    STREAM("Issue_MPI_Isend", "the cost of issuing a window of MPI_Isend", 0,
           .in = TIMED_P2P_TYPE(169, TIME_ISSUE), .hooks = { ISSUE_HOOKS(isend_window) },
           .rewrite = rewrite_as_server, .origin = from_server),
    STREAM("Issue_MPI_Send", "the cost of issuing a window of MPI_Send", 0,
           .in = TIMED_P2P_TYPE(171, TIME_ISSUE), .hooks = { ISSUE_HOOKS(send_window) },
           .rewrite = rewrite_as_server, .origin = from_server),
};

OP_FAMILY(stream_family, rows);
