/* Streams of WINDOW messages, and what is posted before a repetition: by pairs (rank 0 with a
 * partner), or by all pairs at once. */
#include "truth.h"

#include <stdbool.h>
#include <stddef.h>

enum { WINDOW = 5, TAG_ACK = 8 };

static const double LEAD_S = 1e-4; /* the other side is ready for this time */

/* An action of two. */
#define IN_TURN(name, first, second)                                                               \
    static void name(struct me *m)                                                                 \
    {                                                                                              \
        first(m);                                                                                  \
        second(m);                                                                                 \
    }

static MPI_Request receives[WINDOW], sends[WINDOW];

static void nothing(struct me *m)
{
}

static void s_irecv(struct me *m)
{
    for (int i = 0; i < WINDOW; i++)
        MPI_Irecv(m->receive, m->count, MPI_INT, m->peer, TAG, m->comm, &receives[i]);
}

ACTION(s_wait_received, MPI_Waitall(WINDOW, receives, MPI_STATUSES_IGNORE))

static void s_send(struct me *m)
{
    for (int i = 0; i < WINDOW; i++)
        MPI_Send(m->send, m->count, MPI_INT, m->peer, TAG, m->comm);
}

static void s_isend(struct me *m)
{
    for (int i = 0; i < WINDOW; i++)
        MPI_Isend(m->send, m->count, MPI_INT, m->peer, TAG, m->comm, &sends[i]);
}

ACTION(s_wait_sent, MPI_Waitall(WINDOW, sends, MPI_STATUSES_IGNORE))
ACTION(s_await_ack, MPI_Recv(NULL, 0, MPI_BYTE, m->peer, TAG_ACK, m->comm, MPI_STATUS_IGNORE))

static void s_received_ack(struct me *m)
{
    s_wait_received(m);
    MPI_Send(NULL, 0, MPI_BYTE, m->peer, TAG_ACK, m->comm);
}

IN_TURN(s_recv_ack, s_irecv, s_received_ack)
IN_TURN(s_send_ack, s_send, s_await_ack)

static void s_isend_both(struct me *m)
{
    s_irecv(m);
    s_isend(m);
    s_wait_sent(m);
    s_wait_received(m);
}

static void s_send_both(struct me *m)
{
    s_irecv(m);
    s_send(m);
    s_wait_received(m);
}

IN_TURN(s_complete_isend, s_wait_sent, s_await_ack)
IN_TURN(s_isend_ack, s_isend, s_complete_isend)
ACTION(one_posted, MPI_Irecv(TO_ONE, m->peer, TAG, m->comm, receives))
ACTION(one_received, MPI_Wait(receives, MPI_STATUS_IGNORE))
ACTION(one_rsend, MPI_Rsend(ONE, m->peer, TAG, m->comm))

static void one_irsend(struct me *m)
{
    MPI_Irsend(m->send, m->count, MPI_INT, m->peer, TAG, m->comm, sends);
    MPI_Wait(sends, MPI_STATUS_IGNORE);
}

static MPI_Request bound[2]; /* persistent: the send and the receive */

static void p_create(struct me *m)
{
    MPI_Send_init(m->send, m->count, MPI_INT, m->peer, TAG, m->comm, &bound[0]);
    MPI_Recv_init(m->receive, m->count, MPI_INT, m->peer, TAG, m->comm, &bound[1]);
}

static void p_send(struct me *m)
{
    MPI_Start(&bound[0]);
    MPI_Wait(&bound[0], MPI_STATUS_IGNORE);
}

static void p_receive(struct me *m)
{
    MPI_Start(&bound[1]);
    MPI_Wait(&bound[1], MPI_STATUS_IGNORE);
}

static void p_both(struct me *m)
{
    MPI_Request both[2] = { bound[1], bound[0] };
    MPI_Startall(2, both);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
}

static void p_free(struct me *m)
{
    MPI_Request_free(&bound[0]);
    MPI_Request_free(&bound[1]);
}

/* Persistent windows: the requests of what a side receives, then of what it sends. */
static void w_create(struct me *m)
{
    for (int i = 0; i < WINDOW; i++) {
        MPI_Recv_init(m->receive, m->count, MPI_INT, m->peer, TAG, m->comm, &receives[i]);
        MPI_Send_init(m->send, m->count, MPI_INT, m->peer, TAG, m->comm, &sends[i]);
    }
}

static void w_free(struct me *m)
{
    for (int i = 0; i < WINDOW; i++) {
        MPI_Request_free(&receives[i]);
        MPI_Request_free(&sends[i]);
    }
}

static void w_send(struct me *m)
{
    MPI_Startall(WINDOW, sends);
    s_wait_sent(m);
    s_await_ack(m);
}

static void w_receive(struct me *m)
{
    MPI_Startall(WINDOW, receives);
    s_received_ack(m);
}

static void w_both(struct me *m)
{
    MPI_Startall(WINDOW, receives);
    MPI_Startall(WINDOW, sends);
    s_wait_sent(m);
    s_wait_received(m);
}

IN_TURN(ping_rsend, one_rsend, one_received)
IN_TURN(pong_rsend, one_received, one_rsend)
IN_TURN(ping_bound, p_send, p_receive)
IN_TURN(pong_bound, p_receive, p_send)
IN_TURN(ping_irsend, one_irsend, one_received)
IN_TURN(pong_irsend, one_received, one_irsend)

/* The work of each side before it is timed, in its time, and after it. */
struct side {
    action *before, *timed, *after;
};

struct stream {
    int type;
    bool together; /* both sides start at once; otherwise the server after the client */
    struct side server, client;
};

#define ONE_WAY(send)                                                                              \
    { nothing, send, nothing },                                                                    \
    {                                                                                              \
        nothing, s_recv_ack, nothing                                                               \
    }
#define BOTH_WAYS(both)                                                                            \
    { nothing, both, nothing },                                                                    \
    {                                                                                              \
        nothing, both, nothing                                                                     \
    }
#define ISSUE(send, rest)                                                                          \
    { nothing, send, rest },                                                                       \
    {                                                                                              \
        s_irecv, s_received_ack, nothing                                                           \
    }
#define POSTED(ping, pong)                                                                         \
    { one_posted, ping, nothing },                                                                 \
    {                                                                                              \
        one_posted, pong, nothing                                                                  \
    }

#define WINDOWS(send, receive)                                                                     \
    { w_create, send, w_free },                                                                    \
    {                                                                                              \
        w_create, receive, w_free                                                                  \
    }

#define BOUND(ping, pong)                                                                          \
    { p_create, ping, p_free },                                                                    \
    {                                                                                              \
        p_create, pong, p_free                                                                     \
    }

static const struct stream alone[] = {
    { 165, false, ONE_WAY(s_isend_ack) },
    { 166, false, ONE_WAY(s_send_ack) },
    { 167, true, BOTH_WAYS(s_isend_both) },
    { 168, true, BOTH_WAYS(s_send_both) },
    { 169, false, ISSUE(s_isend, s_complete_isend) },
    { 171, false, ISSUE(s_send, s_await_ack) },
    { 172, false, POSTED(ping_rsend, pong_rsend) },
    { 173, false, POSTED(ping_irsend, pong_irsend) },
    { 260, false, BOUND(ping_bound, pong_bound) },
    { 261, true, BOUND(p_both, p_both) },
    { 373, false, WINDOWS(w_send, w_receive) },
    { 375, true, WINDOWS(w_both, w_both) },
};

static const struct stream in_pairs[] = {
    { 175, true, ONE_WAY(s_isend_ack) },       { 176, true, ONE_WAY(s_send_ack) },
    { 177, true, BOTH_WAYS(s_isend_both) },    { 178, true, BOTH_WAYS(s_send_both) },
    { 374, true, WINDOWS(w_send, w_receive) }, { 376, true, WINDOWS(w_both, w_both) },
};

/* Takes part as one side; returns the time. */
static double take_part(struct me *m, const struct stream *s, bool serves, double start)
{
    const struct side *side = serves ? &s->server : &s->client;
    side->before(m);
    sleep_to(serves && !s->together ? start + LEAD_S : start);
    start = now();
    side->timed(m);
    double time = now() - start;
    side->after(m);
    sleep_to(start + PAUSE_S);
    return time;
}

static double alone_time(struct me *m, const struct stream *s)
{
    double start = common_instant(m);
    m->peer = m->rank == 0 ? m->partner : 0;
    return m->rank == 0 || m->rank == m->partner ? take_part(m, s, m->rank == 0, start) : 0.0;
}

/* i with i + p/2, all at once: the slowest server, or the slowest side if both do the same. */
static double pairs_time(struct me *m, const struct stream *s)
{
    int half = m->size / 2;
    bool serves = m->rank < half;
    double start = common_instant(m), own = 0.0, slowest;
    m->peer = serves ? m->rank + half : m->rank - half;
    if (m->rank < 2 * half)
        own = take_part(m, s, serves, start);
    if (!serves && s->server.timed != s->client.timed)
        own = 0.0;
    MPI_Reduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, m->comm);
    return slowest;
}

void report_streams(struct me *m)
{
    for (size_t i = 0; i < COUNT(alone); i++)
        report(m, alone[i].type, alone_time(m, &alone[i]));
    for (size_t i = 0; i < COUNT(in_pairs); i++)
        report(m, in_pairs[i].type, pairs_time(m, &in_pairs[i]));
}
