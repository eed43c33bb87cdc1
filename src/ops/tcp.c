/* Messages through TCP connections between two processes, without MPI: the medium below it. A
 * connection is kept from argument to argument; its congestion window is opened before the first
 * one. TCP knows no empty messages: they have one byte. */
#include "ops/arguments.h"

#include "hosts/tcp.h"
#include "results/fact.h"

#include <stdlib.h>
#include <string.h>

enum { OPENING = 1 << 22 }; /* bytes in each direction of each connection */

static struct tcp *tcp_of(const struct measurement *m)
{
    return &m->resources->tcp;
}

static void swap(const struct measurement *m, const void *own, void *theirs, size_t bytes)
{
    control_swap(&m->resources->clock, own, theirs, (int)bytes, m->peer, m->control);
}

/* Do both sides still have what the suite asks for? */
static bool is_kept(const struct measurement *m)
{
    const struct suite_options *x = &m->suite->options;
    const struct tcp *t = tcp_of(m);
    int own = t->count == x->connections && t->broken == 0 && t->other == m->peer &&
              strcmp(t->asked, x->interface) == 0;
    int theirs = 0;
    swap(m, &own, &theirs, sizeof(own));
    return own != 0 && theirs != 0;
}

static bool is_same_host(const struct measurement *m)
{
    char own[MPI_MAX_PROCESSOR_NAME] = "", theirs[MPI_MAX_PROCESSOR_NAME];
    int len;
    MPI_Get_processor_name(own, &len);
    swap(m, own, theirs, sizeof(own));
    return strcmp(own, theirs) == 0;
}

/* The server listens, the client connects, and the server learns which address that was. */
static int connect_both(struct measurement *m, struct err *e)
{
    const struct suite_options *x = &m->suite->options;
    struct tcp *t = tcp_of(m);
    struct tcp_addresses own = { .count = 0 }, theirs;
    const char *name = strcmp(x->interface, "any") == 0 ? NULL : x->interface;
    bool serves = pattern_serves(m), same_host = is_same_host(m);
    int rc = serves ? tcp_offer(t, name, same_host, &own, e) : 0, at = 0, at_theirs;
    if (pattern_agree(m, rc, e) != 0)
        return -1;
    swap(m, &own, &theirs, sizeof(own));
    if (!serves) {
        at = tcp_connect(t, &theirs, x->connections, e);
        own = theirs;
    }
    if (pattern_agree(m, at < 0 ? -1 : 0, e) != 0)
        return -1;
    swap(m, &at, &at_theirs, sizeof(at));
    if (serves)
        at = at_theirs;
    const unsigned char *ip = own.at[at].ip;
    snprintf(t->interface, sizeof(t->interface), "%s", own.at[at].name);
    snprintf(t->address, sizeof(t->address), "%d.%d.%d.%d", ip[0], ip[1], ip[2], ip[3]);
    return serves ? tcp_accept(t, &own, x->connections, e) : 0;
}

/* One side after the other: each fills the other's window. */
static int open_windows(struct measurement *m, struct err *e)
{
    struct tcp *t = tcp_of(m);
    char *bytes = calloc(1, OPENING);
    if (bytes == NULL)
        return err_no_memory(e, OPENING);
    for (int i = 0; i < 2 * t->count; i++)
        if ((i % 2 == 0) == pattern_serves(m))
            tcp_give(t, i / 2, bytes, OPENING);
        else
            tcp_take(t, i / 2, bytes, OPENING);
    free(bytes);
    return 0;
}

static int init(struct measurement *m, struct err *e)
{
    struct tcp *t = tcp_of(m);
    if (is_kept(m))
        return 0;
    tcp_close(t);
    if (pattern_agree(m, connect_both(m, e), e) != 0 || open_windows(m, e) != 0)
        return -1;
    t->yields = m->resources->clock.yield;
    t->other = m->peer;
    snprintf(t->asked, sizeof(t->asked), "%s", m->suite->options.interface);
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
    if (t->count > 0)
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

/* Defines a side's part of a window: each connection has every n-th message. */
#define WINDOW(function, side, call)                                                               \
    static void function(struct measurement *m)                                                    \
    {                                                                                              \
        struct tcp *t = tcp_of(m);                                                                 \
        MPI_Aint step = m->suite->options.buffers == BUFFERS_MANY ? m->side.stride : 0;            \
        char *at = place(m, &m->side);                                                             \
        for (int i = 0; i < m->at.window; i++, at += step)                                         \
            call(t, i % t->count, at, bytes_of(m));                                                \
    }
WINDOW(give_window, send, tcp_give)
WINDOW(take_window, receive, tcp_take)

static void give_window_wait(struct measurement *m)
{
    char acknowledgement;
    give_window(m);
    tcp_take(tcp_of(m), 0, &acknowledgement, 1);
}

CALLED(take_window_acknowledge, take_window(m); tcp_give(tcp_of(m), 0, &(char){ 0 }, 1))

#define TCP SENDS_ONE, RECEIVES_ONE, .info.needs = NEEDS_TCP, .status = status, .note = note

static const struct op rows[] = {
    OP("TCP", "send and recv of a TCP connection, without MPI; interface",
       TYPE_TCP | TYPE_COPIES_BYTES | TYPE_HAS_LENGTH, TCP, .origin = from_peer,
       .info.options = OPTIONS(OPTION_INTERFACE), .in = P2P_TYPE(305), .hooks.init = init,
       SIDES(give_take, take_give)),
    OP("Stream_TCP",
       "a window of messages through TCP connections, without MPI; interface, connections",
       TYPE_TCP | TYPE_COPIES_BYTES | TYPE_HAS_LENGTH | TYPE_WINDOW, TCP, .origin = from_server,
       .rewrite = rewrite_as_server, .info.options = OPTIONS(OPTION_INTERFACE, OPTION_CONNECTIONS),
       .in = TIMED_P2P_TYPE(306, TIME_WINDOW), .hooks.init = init,
       SIDES(give_window_wait, take_window_acknowledge)),
};

OP_FAMILY(tcp_family, rows);
