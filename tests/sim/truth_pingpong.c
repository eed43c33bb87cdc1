/* Ping-pong: the actions of server and client. */
#include "truth.h"

#include <stdbool.h>
#include <stddef.h>

static const double LEAD_S = 1e-4; /* the client waits for this time */

#define SENDS(name, call)                                                                          \
    static void name(struct me *m)                                                                 \
    {                                                                                              \
        call(m->send, m->count, MPI_INT, m->peer, TAG, m->comm);                                   \
    }
#define ISENDS(name, call)                                                                         \
    static void name(struct me *m)                                                                 \
    {                                                                                              \
        call(m->send, m->count, MPI_INT, m->peer, TAG, m->comm, m->requests);                      \
        MPI_Wait(m->requests, MPI_STATUS_IGNORE);                                                  \
    }
SENDS(p_send, MPI_Send)
SENDS(p_ssend, MPI_Ssend)
SENDS(p_bsend, MPI_Bsend)
ISENDS(p_ibsend, MPI_Ibsend)
ISENDS(p_isend, MPI_Isend)
ISENDS(p_issend, MPI_Issend)

ACTION(p_recv, MPI_Recv(TO_ONE, m->peer, TAG, m->comm, MPI_STATUS_IGNORE))
ACTION(p_recv_any_tag, MPI_Recv(TO_ONE, m->peer, MPI_ANY_TAG, m->comm, MPI_STATUS_IGNORE))

static void p_irecv(struct me *m)
{
    MPI_Irecv(m->receive, m->count, MPI_INT, m->peer, TAG, m->comm, m->requests);
    MPI_Wait(m->requests, MPI_STATUS_IGNORE);
}

static void p_iprobe(struct me *m)
{
    for (int there = 0; !there;)
        MPI_Iprobe(m->peer, TAG, m->comm, &there, MPI_STATUS_IGNORE);
    p_recv(m);
}

ACTION(p_sendrecv,
       MPI_Sendrecv(ONE, m->peer, TAG, TO_ONE, m->peer, TAG, m->comm, MPI_STATUS_IGNORE))

static void p_isend_recv(struct me *m)
{
    MPI_Isend(m->send, m->count, MPI_INT, m->peer, TAG, m->comm, m->requests);
    p_recv(m);
    MPI_Wait(m->requests, MPI_STATUS_IGNORE);
}

ACTION(p_replace, MPI_Sendrecv_replace(ONE, m->peer, TAG, m->peer, TAG, m->comm, MPI_STATUS_IGNORE))

struct ping_pong {
    int type;
    action *send, *receive; /* receive NULL: both sides call the first together, an exchange */
};

static const struct ping_pong ping_pongs[] = {
    { 1, p_send, p_recv },    { 2, p_send, p_recv_any_tag }, { 3, p_send, p_irecv },
    { 4, p_send, p_iprobe },  { 5, p_ssend, p_recv },        { 6, p_isend, p_recv },
    { 7, p_bsend, p_recv },   { 8, p_sendrecv, NULL },       { 9, p_replace, NULL },
    { 34, p_issend, p_recv }, { 174, p_ibsend, p_recv },     { 181, p_isend_recv, NULL }
};

/* The server's round trip; its partner is already waiting, or starts with it in an exchange. */
static double ping_pong_time(struct me *m, const struct ping_pong *p)
{
    double start = common_instant(m);
    m->peer = m->rank == 0 ? m->partner : 0;
    if (m->rank != 0 && m->rank != m->partner)
        return 0.0;
    sleep_to(m->rank == 0 && p->receive != NULL ? start + LEAD_S : start);
    start = now();
    action *first = m->rank == 0 || p->receive == NULL ? p->send : p->receive;
    first(m);
    if (p->receive != NULL)
        (m->rank == 0 ? p->receive : p->send)(m);
    double time = now() - start;
    sleep_to(start + PAUSE_S);
    return time;
}

/* All pairs at once, i with i + p/2, from a common start: the slowest server's round trip, or the
 * slowest side of an exchange. */
static double pairs_time(struct me *m, const struct ping_pong *p)
{
    int half = m->size / 2;
    bool serves = m->rank < half;
    double start = common_instant(m), own = 0.0, slowest;
    m->peer = serves ? m->rank + half : m->rank - half;
    sleep_to(start);
    start = now();
    if (m->rank < 2 * half) {
        (serves || p->receive == NULL ? p->send : p->receive)(m);
        if (p->receive != NULL)
            (serves ? p->receive : p->send)(m);
        own = serves || p->receive == NULL ? now() - start : 0.0;
    }
    sleep_to(start + PAUSE_S);
    MPI_Reduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, m->comm);
    return slowest;
}

void report_ping_pongs(struct me *m)
{
    static const struct ping_pong pairs[] = {
        { 160, p_send, p_recv },  { 161, p_ssend, p_recv },  { 162, p_isend, p_recv },
        { 163, p_bsend, p_recv }, { 180, p_sendrecv, NULL }, { 182, p_isend_recv, NULL }
    };
    for (size_t i = 0; i < COUNT(pairs); i++)
        report(m, pairs[i].type, pairs_time(m, &pairs[i]));
    for (size_t i = 0; i < COUNT(ping_pongs); i++)
        report(m, ping_pongs[i].type, ping_pong_time(m, &ping_pongs[i]));
}

void report_first_ping_pong(struct me *m)
{
    report(m, ping_pongs[0].type, ping_pong_time(m, &ping_pongs[0]));
}
