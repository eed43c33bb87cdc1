/* The arguments of operations' calls, the origins of their messages, and their state. */
#pragma once

#include "patterns/op.h"

/* Also of point-to-point calls. ITEMS: what follows the address; _OF: the message of one process in
 * a buffer of one for each. */
#define SENT_ITEMS           m->send.count, m->send.type
#define SENT                 m->send.at, SENT_ITEMS
#define SENT_OF(process)     side_message(&m->send, process), SENT_ITEMS
#define SENT_ITEMS_V         m->send.counts, m->send.displacements, m->send.type
#define SENT_V               m->send.at, SENT_ITEMS_V
#define RECEIVED_ITEMS       m->receive.count, m->receive.type
#define RECEIVED             m->receive.at, RECEIVED_ITEMS
#define RECEIVED_OF(process) side_message(&m->receive, process), RECEIVED_ITEMS
#define RECEIVED_V           m->receive.at, m->receive.counts, m->receive.displacements, m->receive.type
#define COMBINED_ITEMS       m->send.count, m->send.type, m->reduction
#define COMBINED             own_sent(m), m->receive.at, COMBINED_ITEMS

/* With large counts. */
#define SENT_ITEMS_C     m->send.elements, m->send.type
#define SENT_C           m->send.at, SENT_ITEMS_C
#define SENT_ITEMS_V_C   m->send.large_counts, m->send.large_displacements, m->send.type
#define SENT_V_C         m->send.at, SENT_ITEMS_V_C
#define RECEIVED_ITEMS_C m->receive.elements, m->receive.type
#define RECEIVED_C       m->receive.at, RECEIVED_ITEMS_C
#define RECEIVED_V_C                                                                               \
    m->receive.at, m->receive.large_counts, m->receive.large_displacements, m->receive.type
#define COMBINED_ITEMS_C m->send.elements, m->send.type, m->reduction
#define COMBINED_C       own_sent(m), m->receive.at, COMBINED_ITEMS_C

/* MPI_Alltoallw; tables is a struct w_tables. */
#define SENT_W_AT(place, tables) place, m->send.counts, (tables).bytes, (tables).types
#define RECEIVED_W(tables)                                                                         \
    m->receive.at, m->receive.counts, (tables).bytes + m->size, (tables).types + m->size

/* The buffers that a collective passes: MPI_IN_PLACE by all or by the root, if the suite says
 * so. */
static inline void *own_sent(const struct measurement *m)
{
    return m->in_place ? MPI_IN_PLACE : m->send.at;
}
static inline void *roots_sent(const struct measurement *m)
{
    return m->in_place && m->rank == m->root ? MPI_IN_PLACE : m->send.at;
}
static inline void *roots_received(const struct measurement *m)
{
    return m->in_place && m->rank == m->root ? MPI_IN_PLACE : m->receive.at;
}

/* Define a function of a run: a call; a call whose request is completed; one with k, m->state. */
#define CALLED(function, ...)                                                                      \
    static void function(struct measurement *m)                                                    \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }
#define AWAITED(function, ...)                                                                     \
    static void function(struct measurement *m)                                                    \
    {                                                                                              \
        MPI_Request request;                                                                       \
        __VA_ARGS__;                                                                               \
        MPI_Wait(&request, MPI_STATUS_IGNORE);                                                     \
    }
#define CALLED_OF(state_struct, function, ...)                                                     \
    static void function(struct measurement *m)                                                    \
    {                                                                                              \
        struct state_struct *k = m->state;                                                         \
        __VA_ARGS__;                                                                               \
    }

/* A row's form, which is such a struct. */
#define FORM(form_struct, ...)                                                                     \
    .form = &(const struct form_struct)                                                            \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/* Define where a message comes from: its rank, and its number there; _OF: with k as above. */
#define ORIGIN(function, rank_, message_)                                                          \
    static inline struct origin function(const struct measurement *m, int message)                 \
    {                                                                                              \
        return (struct origin){ .rank = rank_, .message = message_ };                              \
    }
#define ORIGIN_OF(state_struct, function, rank_, message_)                                         \
    static inline struct origin function(const struct measurement *m, int message)                 \
    {                                                                                              \
        const struct state_struct *k = m->state;                                                   \
        return (struct origin){ .rank = rank_, .message = message_ };                              \
    }

/* A rank, if there is such a message; otherwise no process. */
static inline int sender_if(bool sends, int rank)
{
    return sends ? rank : MPI_PROC_NULL;
}

/* The message of a process in a buffer that holds one for each. */
typedef char *message_of(const struct side *s, int process);

/* All to all by messages: each process begins with itself and continues with the next higher rank,
 * so that no process is everyone's first. */
static inline void exchange_with_all(struct measurement *m, message_of *message, bool skips_empty)
{
    enum { TAG = 1 };
    int n = 0;
    for (int i = 0; i < m->size; i++) {
        int from = (m->rank - i + m->size) % m->size;
        if (!skips_empty || m->receive.counts[from] > 0)
            MPI_Irecv(message(&m->receive, from), m->receive.counts[from], m->receive.type, from,
                      TAG, m->comm, &m->requests[n++]);
    }
    for (int i = 0; i < m->size; i++) {
        int to = (m->rank + i) % m->size;
        if (!skips_empty || m->send.counts[to] > 0)
            MPI_Isend(message(&m->send, to), m->send.counts[to], m->send.type, to, TAG, m->comm,
                      &m->requests[n++]);
    }
    MPI_Waitall(n, m->requests, MPI_STATUSES_IGNORE);
}

/* Copies the message in the send buffer to a place in the receive buffer. */
void copy_own(struct measurement *m, char *to);

/* Adds arrived data to the sum. The first are added to those in the send buffer, which stay. */
static inline char *add_to_sum(struct measurement *m, char *sum, char *arrived)
{
    MPI_Reduce_local(sum == m->send.at ? sum : arrived, m->receive.at, m->send.count, m->send.type,
                     m->reduction);
    return m->receive.at;
}

/* Broadcast: the root has its message already. */
ORIGIN(from_root, sender_if(m->rank != m->root, m->root), message)

/* Scatter: each process gets its own. */
ORIGIN(from_root_its_own, m->root, m->rank)

/* Gather to all, or to the root: one message from each process. */
ORIGIN(from_each, message, 0)
ORIGIN(from_each_to_root, sender_if(m->rank == m->root, message), 0)

/* All to all. */
ORIGIN(from_each_its_own, message, m->rank)

/* Reductions: combined by the root, by all, in parts; of the ranks up to this one, and below it. */
ORIGIN(combined_at_root, sender_if(m->rank == m->root && message == 0, m->size - 1), 0)
ORIGIN(combined, sender_if(message == 0, m->size - 1), 0)
ORIGIN(combined_in_parts, sender_if(message == 0, m->size - 1), m->rank)
ORIGIN(combined_up_to, m->rank, 0)
ORIGIN(combined_below, sender_if(m->rank > 0, m->rank - 1), 0)

/* Messages between two sides, and from the server. A window with one buffer leaves the last one. */
ORIGIN(from_peer, m->peer, message)
ORIGIN(from_server, sender_if(!pattern_serves(m), m->peer), message)

/* The arguments of MPI_Alltoallw besides the counts: types and places of both sides. */
struct w_tables {
    MPI_Datatype *types; /* owned; per process what is sent, then what is received */
    int *bytes;          /* owned; likewise, the places */
};

/* t is zeroed; release accepts that, and tables of a failed init. */
int w_tables_init(struct w_tables *t, const struct measurement *m, struct err *e);
void w_tables_release(struct w_tables *t);

/* Traits of rows; and the messages, rate and origin of those that do the same as such a call. */
#define REDUCES  TYPE_REDUCES | TYPE_ONE_DATATYPE
#define AS_BCAST SENDS_ONE, .info.rate = RATE_BUS, .rewrite = rewrite_as_root, .origin = from_root
#define AS_GATHER                                                                                  \
    SENDS_ONE, RECEIVES_EACH, .info.rate = RATE_BUS_OTHERS, .origin = from_each_to_root
#define AS_ALLGATHER SENDS_ONE, RECEIVES_EACH, .info.rate = RATE_BUS_OTHERS, .origin = from_each
#define AS_ALLTOALL                                                                                \
    SENDS_EACH, RECEIVES_EACH, .info.rate = RATE_BUS_OTHERS, .origin = from_each_its_own

/* Persistent requests. They are bound to the message buffers, so there is a set of requests for
 * each place of the buffers in the calls of a timed interval. Created by init, freed by free. */

/* Creates the requests of one set, for the buffers in use. */
typedef void bind_function(struct measurement *m, MPI_Request *requests);

struct bound {
    int sets, each;
    int at;                 /* the set that was used last */
    const char **places;    /* owned; the send buffer of each set */
    MPI_Request *requests;  /* owned; set by set */
    struct w_tables tables; /* owned; of MPI_Alltoallw_init */
};

/* The form of a row with persistent requests. */
struct bound_form {
    bind_function *bind; /* NULL: no request, only tables */
    int each;            /* requests of a set, 0 without bind, or */
    int windows;         /* windows of messages, each with a request; 0: none */
    bool tables;         /* of MPI_Alltoallw, which must live as long as the request */
};

/* Hooks of such a row, whose state is struct bound: they create and free the sets of requests. */
int bound_init(struct measurement *m, struct err *e);
void bound_free(struct measurement *m);

/* For rows. */
#define BOUND_HOOKS                                                                                \
    .hooks.state = sizeof(struct bound), .hooks.try_init = bound_init, .hooks.free = bound_free

/* The requests for the buffers in use. */
MPI_Request *bound_requests(const struct measurement *m);

static inline void start_wait(MPI_Request *request)
{
    MPI_Start(request);
    MPI_Wait(request, MPI_STATUS_IGNORE);
}
