/* What operations share: the arguments of their calls, where messages come from, their state. */
#pragma once

#include "patterns/op.h"

/* Also of point-to-point calls; _OF: the message of one process in a buffer of one for each. */
#define SENT                 r->send.at, r->send.count, r->send.type
#define RECEIVED             r->receive.at, r->receive.count, r->receive.type
#define SENT_V               r->send.at, r->send.counts, r->send.displacements, r->send.type
#define RECEIVED_V           r->receive.at, r->receive.counts, r->receive.displacements, r->receive.type
#define SENT_OF(process)     side_message(&r->send, process), r->send.count, r->send.type
#define RECEIVED_OF(process) side_message(&r->receive, process), r->receive.count, r->receive.type
#define COMBINED             r->send.at, r->receive.at, r->send.count, r->send.type, r->reduction

/* With large counts. */
#define SENT_C     r->send.at, r->send.elements, r->send.type
#define RECEIVED_C r->receive.at, r->receive.elements, r->receive.type
#define SENT_V_C   r->send.at, r->send.large_counts, r->send.large_displacements, r->send.type
#define RECEIVED_V_C                                                                               \
    r->receive.at, r->receive.large_counts, r->receive.large_displacements, r->receive.type
#define COMBINED_C r->send.at, r->receive.at, r->send.elements, r->send.type, r->reduction

/* MPI_Alltoallw; tables is a struct w_tables. */
#define SENT_W(tables) r->send.at, r->send.counts, (tables).bytes, (tables).types
#define RECEIVED_W(tables)                                                                         \
    r->receive.at, r->receive.counts, (tables).bytes + r->size, (tables).types + r->size

/* Define a function of a run: a call; a call whose request is completed; one with k, r->state. */
#define CALLED(function, ...)                                                                      \
    static void function(struct run *r)                                                            \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }
#define AWAITED(function, ...)                                                                     \
    static void function(struct run *r)                                                            \
    {                                                                                              \
        MPI_Request request;                                                                       \
        __VA_ARGS__;                                                                               \
        MPI_Wait(&request, MPI_STATUS_IGNORE);                                                     \
    }
#define CALLED_OF(state_struct, function, ...)                                                     \
    static void function(struct run *r)                                                            \
    {                                                                                              \
        struct state_struct *k = r->state;                                                         \
        __VA_ARGS__;                                                                               \
    }

/* The hooks of a row with that struct as the state; more: .prepare = ..., .free = ... and so on. */
#define HOOKS_OF(state_struct, init_, operation, ...)                                              \
    .hooks = {                                                                                     \
        .state = sizeof(struct state_struct), .init = init_, .server_op = operation, __VA_ARGS__   \
    }

/* Defines first_second, which calls both. */
#define IN_TURN(first, second) CALLED(first##_##second, first(r); second(r))

/* Define where a message comes from: its rank, and its number there; _OF: with k as above. */
#define ORIGIN(function, rank_, message_)                                                          \
    static inline struct origin function(const struct run *r, int message)                         \
    {                                                                                              \
        return (struct origin){ .rank = rank_, .message = message_ };                              \
    }
#define ORIGIN_OF(state_struct, function, rank_, message_)                                         \
    static inline struct origin function(const struct run *r, int message)                         \
    {                                                                                              \
        const struct state_struct *k = r->state;                                                   \
        return (struct origin){ .rank = rank_, .message = message_ };                              \
    }

/* Copies the message in the send buffer to a place in the receive buffer. */
void copy_own(struct run *r, char *to);

/* Broadcast: the root has its message already. */
ORIGIN(from_root, r->rank == r->root ? MPI_PROC_NULL : r->root, message)

/* Scatter: each process gets its own. */
ORIGIN(from_root_its_own, r->root, r->rank)

/* Gather to all, or to the root: one message from each process. */
ORIGIN(from_each, message, 0)
ORIGIN(from_each_to_root, r->rank == r->root ? message : MPI_PROC_NULL, 0)

/* All to all. */
ORIGIN(from_each_its_own, message, r->rank)

/* Combined by the root, by all, in parts; of the ranks up to this one, and below it. */
ORIGIN(combined_at_root, r->rank == r->root && message == 0 ? r->size - 1 : MPI_PROC_NULL, 0)
ORIGIN(combined, message == 0 ? r->size - 1 : MPI_PROC_NULL, 0)
ORIGIN(combined_in_parts, message == 0 ? r->size - 1 : MPI_PROC_NULL, r->rank)
ORIGIN(combined_up_to, r->rank, 0)
ORIGIN(combined_below, r->rank > 0 ? r->rank - 1 : MPI_PROC_NULL, 0)

/* Between two sides, and from the serving one. A window with one buffer leaves the last message. */
ORIGIN(from_peer, r->peer, message)
ORIGIN(from_server, pattern_serves(r) ? MPI_PROC_NULL : r->peer, message)

/* What MPI_Alltoallw takes besides the counts, with the types and places of both sides. */
struct w_tables {
    MPI_Datatype *types; /* owned; per process what is sent, then what is received */
    int *bytes;          /* owned; likewise, the places */
};

/* release accepts zeroed tables and those of a failed init. */
int w_tables_init(struct w_tables *t, const struct run *r, struct err *e);
void w_tables_release(struct w_tables *t);

/* Traits of rows. */
#define ROOTED  TYPE_HAS_LENGTH | TYPE_ROOTED
#define REDUCES TYPE_HAS_LENGTH | TYPE_REDUCES | TYPE_ONE_DATATYPE

/* Persistent requests. They are bound to the message buffers, so there is a set of requests for
 * each place of the buffers in the calls of a timed interval. Created by init, freed by free. */

/* Creates the requests of one set, for the buffers in use. */
typedef void bind_function(struct run *r, MPI_Request *requests);

struct bound {
    int sets, each;
    int at;                 /* the set that was used last */
    const char **places;    /* owned; the send buffer of each set */
    MPI_Request *requests;  /* owned; set by set */
    struct w_tables tables; /* owned; of MPI_Alltoallw_init */
};

/* With struct bound as the state: creates sets of requests. All processes that take part call. */
int bound_init(struct run *r, int each, bind_function *bind, struct err *e);

/* The form of a row with one request, and its init hook. */
struct bound_form {
    bind_function *bind; /* NULL: no request, only tables */
    bool tables;         /* of MPI_Alltoallw, which must live as long as the request */
};
int bound_form_init(struct run *r, struct err *e);

/* Undoes both, also an incomplete one. */
void bound_free(struct run *r);

/* The requests for the buffers in use. */
MPI_Request *bound_requests(const struct run *r);

static inline void start_wait(MPI_Request *request)
{
    MPI_Start(request);
    MPI_Wait(request, MPI_STATUS_IGNORE);
}
