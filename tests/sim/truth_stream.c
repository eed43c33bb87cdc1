/* Operations of two sides, by rank 0 with a partner or by all pairs at once; and streams of WINDOW
 * messages, and what is posted before a repetition. */
#include "truth.h"

enum { WINDOW = 5, TAG_ACK = 8 };

static const double LEAD_S = 1e-4; /* the other side is ready for this time */

static MPI_Request receives[WINDOW], sends[WINDOW];

/* An action for each message of a window. */
#define OF_WINDOW(name, ...)                                                                       \
    static void name(struct me *m)                                                                 \
    {                                                                                              \
        for (int i = 0; i < WINDOW; i++)                                                           \
            __VA_ARGS__;                                                                           \
    }

OF_WINDOW(s_irecv, MPI_Irecv(FROM(m->peer), &receives[i]))
ACTION(s_wait_received, MPI_Waitall(WINDOW, receives, MPI_STATUSES_IGNORE))
OF_WINDOW(s_send, MPI_Send(TO(m->peer)))
OF_WINDOW(s_isend, MPI_Isend(TO(m->peer), &sends[i]))
ACTION(s_wait_sent, MPI_Waitall(WINDOW, sends, MPI_STATUSES_IGNORE))
ACTION(s_await_ack, MPI_Recv(NULL, 0, MPI_BYTE, m->peer, TAG_ACK, m->comm, MPI_STATUS_IGNORE))
ACTION(s_received_ack, s_wait_received(m), MPI_Send(NULL, 0, MPI_BYTE, m->peer, TAG_ACK, m->comm))

IN_TURN(s_recv_ack, s_irecv, s_received_ack)
IN_TURN(s_send_ack, s_send, s_await_ack)

IN_TURN(s_wait_both, s_wait_sent, s_wait_received)
IN_TURN(s_start_both, s_irecv, s_isend)
IN_TURN(s_isend_both, s_start_both, s_wait_both)
IN_TURN(s_sent_both, s_irecv, s_send)
IN_TURN(s_send_both, s_sent_both, s_wait_received)
IN_TURN(s_complete_isend, s_wait_sent, s_await_ack)
IN_TURN(s_isend_ack, s_isend, s_complete_isend)
ACTION(one_posted, MPI_Irecv(FROM(m->peer), receives))
ACTION(one_received, MPI_Wait(receives, MPI_STATUS_IGNORE))
ACTION(one_rsend, MPI_Rsend(TO(m->peer)))
STARTED(one_irsend, MPI_Irsend, ONE, m->peer, TAG)

static MPI_Request bound[2]; /* persistent: the send and the receive */

ACTION(p_create, MPI_Send_init(TO(m->peer), &bound[0]), MPI_Recv_init(FROM(m->peer), &bound[1]))
ACTION(p_send, MPI_Start(&bound[0]), MPI_Wait(&bound[0], MPI_STATUS_IGNORE))
ACTION(p_receive, MPI_Start(&bound[1]), MPI_Wait(&bound[1], MPI_STATUS_IGNORE))

static void p_both(struct me *m)
{
    MPI_Request both[2] = { bound[1], bound[0] };
    MPI_Startall(2, both);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
}

ACTION(p_free, MPI_Request_free(&bound[0]), MPI_Request_free(&bound[1]))

/* Persistent windows: the requests of what a side receives, then of what it sends. */
OF_WINDOW(w_create, MPI_Recv_init(FROM(m->peer), &receives[i]),
          MPI_Send_init(TO(m->peer), &sends[i]))
OF_WINDOW(w_free, MPI_Request_free(&receives[i]), MPI_Request_free(&sends[i]))
ACTION(w_start_sends, MPI_Startall(WINDOW, sends))
ACTION(w_start_receives, MPI_Startall(WINDOW, receives))
IN_TURN(w_send, w_start_sends, s_complete_isend)
IN_TURN(w_receive, w_start_receives, s_received_ack)
IN_TURN(w_start_both, w_start_receives, w_start_sends)
IN_TURN(w_both, w_start_both, s_wait_both)

#define ONE_WAY(send)                                                                              \
    { nothing, send, nothing, nothing },                                                           \
    {                                                                                              \
        nothing, s_recv_ack, nothing, nothing                                                      \
    }
#define ISSUE(send, rest)                                                                          \
    { nothing, send, nothing, rest },                                                              \
    {                                                                                              \
        s_irecv, s_received_ack, nothing, nothing                                                  \
    }
#define POSTED(send)                                                                               \
    { one_posted, send, one_received, nothing },                                                   \
    {                                                                                              \
        one_posted, one_received, send, nothing                                                    \
    }
#define WINDOWS(send, receive)                                                                     \
    { w_create, send, nothing, w_free },                                                           \
    {                                                                                              \
        w_create, receive, nothing, w_free                                                         \
    }
#define BOUND(server, client)                                                                      \
    { p_create, server, client, p_free },                                                          \
    {                                                                                              \
        p_create, client, server, p_free                                                           \
    }

static const struct sides alone[] = {
    { 165, false, ONE_WAY(s_isend_ack) },
    { 166, false, ONE_WAY(s_send_ack) },
    { 167, true, BOTH_WAYS(s_isend_both) },
    { 168, true, BOTH_WAYS(s_send_both) },
    { 169, false, ISSUE(s_isend, s_complete_isend) },
    { 171, false, ISSUE(s_send, s_await_ack) },
    { 172, false, POSTED(one_rsend) },
    { 173, false, POSTED(one_irsend) },
    { 260, false, BOUND(p_send, p_receive) },
    { 261, true, { p_create, p_both, nothing, p_free }, { p_create, p_both, nothing, p_free } },
    { 373, false, WINDOWS(w_send, w_receive) },
    { 375, true, WINDOWS(w_both, w_both) },
};

static const struct sides in_pairs[] = {
    { 175, true, ONE_WAY(s_isend_ack) },       { 176, true, ONE_WAY(s_send_ack) },
    { 177, true, BOTH_WAYS(s_isend_both) },    { 178, true, BOTH_WAYS(s_send_both) },
    { 374, true, WINDOWS(w_send, w_receive) }, { 376, true, WINDOWS(w_both, w_both) },
};

/* Takes part as one side; returns the time. */
static double take_part(struct me *m, const struct sides *s, bool serves, double start)
{
    const struct side *side = serves ? &s->server : &s->client;
    side->before(m);
    sleep_to(serves && !s->together ? start + LEAD_S : start);
    start = now();
    side->first(m);
    side->second(m);
    double time = now() - start;
    side->after(m);
    sleep_to(start + PAUSE_S);
    return time;
}

static double alone_time(struct me *m, const struct sides *s)
{
    double start = common_instant(m);
    m->peer = m->rank == 0 ? m->partner : 0;
    return m->rank == 0 || m->rank == m->partner ? take_part(m, s, m->rank == 0, start) : 0.0;
}

/* i with i + p/2, all at once: the slowest server, or the slowest side if both do the same. */
static double pairs_time(struct me *m, const struct sides *s)
{
    int half = m->size / 2;
    bool serves = m->rank < half;
    double start = common_instant(m), own = 0.0, slowest;
    m->peer = serves ? m->rank + half : m->rank - half;
    if (m->rank < 2 * half)
        own = take_part(m, s, serves, start);
    if (!serves && s->server.first != s->client.first)
        own = 0.0;
    MPI_Reduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, m->comm);
    return slowest;
}

void report_alone(struct me *m, const struct sides *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        report(m, list[i].type, alone_time(m, &list[i]));
}

void report_in_pairs(struct me *m, const struct sides *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        report(m, list[i].type, pairs_time(m, &list[i]));
}

void report_streams(struct me *m)
{
    report_alone(m, alone, COUNT(alone));
    report_in_pairs(m, in_pairs, COUNT(in_pairs));
}
