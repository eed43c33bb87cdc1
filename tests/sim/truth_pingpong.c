/* Ping-pong: the actions of server and client. */
#include "truth.h"

ACTION(p_send, MPI_Send(TO(m->peer)))
ACTION(p_ssend, MPI_Ssend(TO(m->peer)))
ACTION(p_bsend, MPI_Bsend(TO(m->peer)))
STARTED(p_ibsend, MPI_Ibsend, ONE, m->peer, TAG)
STARTED(p_isend, MPI_Isend, ONE, m->peer, TAG)
STARTED(p_issend, MPI_Issend, ONE, m->peer, TAG)
ACTION(p_recv, MPI_Recv(FROM(m->peer), MPI_STATUS_IGNORE))
ACTION(p_recv_any_tag, MPI_Recv(TO_ONE, m->peer, MPI_ANY_TAG, m->comm, MPI_STATUS_IGNORE))
STARTED(p_irecv, MPI_Irecv, TO_ONE, m->peer, TAG)

static void p_iprobe(struct me *m)
{
    for (int there = 0; !there;)
        MPI_Iprobe(m->peer, TAG, m->comm, &there, MPI_STATUS_IGNORE);
    p_recv(m);
}

ACTION(p_sendrecv,
       MPI_Sendrecv(ONE, m->peer, TAG, TO_ONE, m->peer, TAG, m->comm, MPI_STATUS_IGNORE))

ACTION(p_isend_recv, MPI_Isend(TO(m->peer), m->requests), p_recv(m),
       MPI_Wait(m->requests, MPI_STATUS_IGNORE))

ACTION(p_replace, MPI_Sendrecv_replace(ONE, m->peer, TAG, m->peer, TAG, m->comm, MPI_STATUS_IGNORE))

static const struct sides ping_pongs[] = {
    { 1, false, PING_PONG(p_send, p_recv) },     { 2, false, PING_PONG(p_send, p_recv_any_tag) },
    { 3, false, PING_PONG(p_send, p_irecv) },    { 4, false, PING_PONG(p_send, p_iprobe) },
    { 5, false, PING_PONG(p_ssend, p_recv) },    { 6, false, PING_PONG(p_isend, p_recv) },
    { 7, false, PING_PONG(p_bsend, p_recv) },    { 8, true, BOTH_WAYS(p_sendrecv) },
    { 9, true, BOTH_WAYS(p_replace) },           { 34, false, PING_PONG(p_issend, p_recv) },
    { 174, false, PING_PONG(p_ibsend, p_recv) }, { 181, true, BOTH_WAYS(p_isend_recv) },
};

static const struct sides in_pairs[] = {
    { 160, true, PING_PONG(p_send, p_recv) },  { 161, true, PING_PONG(p_ssend, p_recv) },
    { 162, true, PING_PONG(p_isend, p_recv) }, { 163, true, PING_PONG(p_bsend, p_recv) },
    { 180, true, BOTH_WAYS(p_sendrecv) },      { 182, true, BOTH_WAYS(p_isend_recv) },
};

void report_ping_pongs(struct me *m)
{
    report_in_pairs(m, in_pairs, COUNT(in_pairs));
    report_alone(m, ping_pongs, COUNT(ping_pongs));
}

void report_first_ping_pong(struct me *m)
{
    report_alone(m, ping_pongs, 1);
}
