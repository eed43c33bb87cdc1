/* Messages through TCP connections between two processes, without MPI: the medium below it. A
 * connection is kept from argument to argument; its congestion window is opened before the first
 * one. TCP knows no empty messages: they have one byte. */
#include "ops/arguments.h"

#include "context/tcp_pair.h"
#include "results/fact.h"

enum { OPENING = 1 << 22 }; /* bytes in each direction of each connection */

static struct tcp *tcp_of(const struct measurement *m)
{
    return &m->resources->tcp;
}

/* Do both sides still have what the suite asks for? */
static bool is_kept(const struct measurement *m)
{
    const struct suite_options *x = &m->suite->options;
    const struct tcp *t = tcp_of(m);
    int own = t->count == x->connections && t->broken == 0 && t->other == m->peer &&
              strcmp(t->asked, x->interface) == 0;
    int theirs = 0;
    control_swap(&m->resources->clock, &own, &theirs, sizeof(own), m->peer, m->control);
    return own != 0 && theirs != 0;
}

/* One side after the other: each fills the other's window. */
static void open_windows(struct measurement *m)
{
    struct tcp *t = tcp_of(m);
    char *bytes;
    allocated_array(&bytes, OPENING);
    for (int i = 0; i < 2 * t->count; i++)
        if ((i % 2 == 0) == pattern_serves(m))
            tcp_give(t, i / 2, bytes, OPENING);
        else
            tcp_take(t, i / 2, bytes, OPENING);
    free(bytes);
}

static int init(struct measurement *m, struct err *e)
{
    const struct suite_options *x = &m->suite->options;
    struct tcp *t = tcp_of(m);
    const struct tcp_pair pair = { .clock = &m->resources->clock,
                                   .comm = m->control,
                                   .other = m->peer,
                                   .listens = pattern_serves(m),
                                   .interface =
                                       strcmp(x->interface, "any") == 0 ? NULL : x->interface,
                                   .connections = x->connections };
    if (is_kept(m))
        return 0;
    tcp_close(t);
    if (tcp_join(t, &pair, e) != 0)
        return -1;
    snprintf(t->asked, sizeof(t->asked), "%s", x->interface);
    open_windows(m);
    return 0;
}

static int status(const struct measurement *m, struct err *e)
{
    const struct tcp *t = tcp_of(m);
    return t->broken == 0 ? 0
                          : err_set(e, "the TCP connection by %s (%s) broke: %s", t->interface,
                                    t->address, strerror(t->broken));
}

static void note(const struct measurement *m, struct text *out)
{
    const struct tcp *t = tcp_of(m);
    if (t->count > 0 && strcmp(t->asked, m->suite->options.interface) == 0)
        fact_write(out, FACT_INTERFACE, { .text = t->interface }, { .text = t->address });
}

static size_t bytes_of(const struct measurement *m)
{
    return m->at.length > 0 ? (size_t)m->at.length : 1;
}

static char *place(const struct measurement *m, const struct side *s)
{
    static char empty;
    return m->at.length > 0 ? s->at : &empty;
}

CALLED(give, tcp_give(tcp_of(m), 0, place(m, &m->send), bytes_of(m)))
CALLED(take, tcp_take(tcp_of(m), 0, place(m, &m->receive), bytes_of(m)))
CALLED(give_take, give(m); take(m))
CALLED(take_give, take(m); give(m))

/* Each connection has every n-th message. */
static void window(struct measurement *m, const struct side *side, bool gives)
{
    struct tcp *t = tcp_of(m);
    MPI_Aint step = m->suite->options.buffers == BUFFERS_MANY ? side->stride : 0;
    char *at = place(m, side);
    for (int i = 0; i < m->at.window; i++, at += step)
        if (gives)
            tcp_give(t, i % t->count, at, bytes_of(m));
        else
            tcp_take(t, i % t->count, at, bytes_of(m));
}

static void give_window_wait(struct measurement *m)
{
    char acknowledgement;
    window(m, &m->send, true);
    tcp_take(tcp_of(m), 0, &acknowledgement, 1);
}

CALLED(take_window_acknowledge, window(m, &m->receive, false);
       tcp_give(tcp_of(m), 0, &(char){ 0 }, 1))

#define TCP SENDS_ONE, RECEIVES_ONE, .info.needs = NEEDS_TCP, .status = status, .note = note

static const struct op rows[] = {
    OP("TCP", "send and recv of a TCP connection, without MPI; interface",
       TYPE_TCP | TYPE_COPIES_BYTES | TYPE_HAS_LENGTH, TCP, .origin = from_peer,
       .info.options = OPTIONS(OPTION_INTERFACE), .in = P2P_TYPE(305), .hooks.try_init = init,
       SIDES(give_take, take_give)),
    OP("Stream_TCP",
       "a window of messages through TCP connections, without MPI; interface, connections",
       TYPE_TCP | TYPE_COPIES_BYTES | TYPE_HAS_LENGTH | TYPE_WINDOW, TCP, .origin = from_server,
       .rewrite = rewrite_as_server, .info.options = OPTIONS(OPTION_INTERFACE, OPTION_CONNECTIONS),
       .in = TIMED_P2P_TYPE(306, TIME_WINDOW), .hooks.try_init = init,
       SIDES(give_window_wait, take_window_acknowledge)),
};

OP_FAMILY(tcp_family, rows);
