/* The collective operations of MPI (manual table 3.5 and MPI 4), each in up to four forms: a call;
 * started, then work, then completed; a persistent request started and completed; creating and
 * freeing that request alone. The call has another form with large counts. */
#include "context/library.h"
#include "ops/arguments.h"

/* Define a form of an operation. */
#define STARTED(operation, ...)                                                                    \
    static void i##operation(struct measurement *m)                                                \
    {                                                                                              \
        MPI_I##operation(__VA_ARGS__, &m->requests[0]);                                            \
        overlap_wait(m, m->requests, 1);                                                           \
    }
#define BOUND(operation, name, ...)                                                                \
    static void bind_##operation(struct measurement *m, MPI_Request *q)                            \
    {                                                                                              \
        PERSISTENT_INIT(name, q, __VA_ARGS__);                                                     \
    }
#define ALL_FORMS(operation, name, ...)                                                            \
    CALLED(operation, MPI_##name(__VA_ARGS__))                                                     \
    STARTED(operation, __VA_ARGS__)                                                                \
    BOUND(operation, name, __VA_ARGS__)

/* Define the forms of an operation with one message, or with one that is sent and one that is
 * received, and the form with large counts; x_C is message x with large counts. */
#define COUNTED_FORMS(operation, name, message, ...)                                               \
    ALL_FORMS(operation, name, message, __VA_ARGS__)                                               \
    CALLED(operation##_c, COUNTED_CALL(name, message##_C, __VA_ARGS__))
#define COUNTED_FORMS_OF_TWO(operation, name, sent, received, ...)                                 \
    ALL_FORMS(operation, name, sent, received, __VA_ARGS__)                                        \
    CALLED(operation##_c, COUNTED_CALL(name, sent##_C, received##_C, __VA_ARGS__))

/* All processes use their send buffer; on the root it holds the message. The root has the send
 * datatype, the others the receive datatype. */
#define BROADCAST                                                                                  \
    m->send.at, m->rank == m->root ? m->send.count : m->receive.count,                             \
        m->rank == m->root ? m->send.type : m->receive.type
#define BROADCAST_C                                                                                \
    m->send.at, m->rank == m->root ? m->send.elements : m->receive.elements,                       \
        m->rank == m->root ? m->send.type : m->receive.type
#define TABLES ((const struct bound *)m->state)->tables

/* Open MPI's MPIX_Reduce_init refuses equal buffers, even of empty messages. */
static inline char *result_of_reduce(const struct measurement *m)
{
    return m->receive.at == m->send.at ? m->receive.at + 1 : m->receive.at;
}

ALL_FORMS(barrier, Barrier, m->comm)
COUNTED_FORMS(bcast, Bcast, BROADCAST, m->root, m->comm)
COUNTED_FORMS_OF_TWO(gather, Gather, SENT, RECEIVED, m->root, m->comm)
COUNTED_FORMS_OF_TWO(gatherv, Gatherv, SENT, RECEIVED_V, m->root, m->comm)
COUNTED_FORMS_OF_TWO(scatter, Scatter, SENT, RECEIVED, m->root, m->comm)
COUNTED_FORMS_OF_TWO(scatterv, Scatterv, SENT_V, RECEIVED, m->root, m->comm)
COUNTED_FORMS_OF_TWO(allgather, Allgather, SENT, RECEIVED, m->comm)
COUNTED_FORMS_OF_TWO(allgatherv, Allgatherv, SENT, RECEIVED_V, m->comm)
COUNTED_FORMS_OF_TWO(alltoall, Alltoall, SENT, RECEIVED, m->comm)
COUNTED_FORMS_OF_TWO(alltoallv, Alltoallv, SENT_V, RECEIVED_V, m->comm)
STARTED(alltoallw, SENT_W(TABLES), RECEIVED_W(TABLES), m->comm)
BOUND(alltoallw, Alltoallw, SENT_W(TABLES), RECEIVED_W(TABLES), m->comm)
CALLED(reduce, MPI_Reduce(COMBINED, m->root, m->comm))
STARTED(reduce, COMBINED, m->root, m->comm)
BOUND(reduce, Reduce, m->send.at, result_of_reduce(m), m->send.count, m->send.type, m->reduction,
      m->root, m->comm)
COUNTED_FORMS(allreduce, Allreduce, COMBINED, m->comm)
ALL_FORMS(reduce_scatter, Reduce_scatter, m->send.at, m->receive.at, m->send.counts, m->send.type,
          m->reduction, m->comm)
COUNTED_FORMS(reduce_scatter_block, Reduce_scatter_block, COMBINED, m->comm)
COUNTED_FORMS(scan, Scan, COMBINED, m->comm)
COUNTED_FORMS(exscan, Exscan, COMBINED, m->comm)

#define barrier_c NULL /* it counts nothing */
CALLED(reduce_c, COUNTED_CALL(Reduce, COMBINED_C, m->root, m->comm))
CALLED(reduce_scatter_c, COUNTED_CALL(Reduce_scatter, m->send.at, m->receive.at,
                                      m->send.large_counts, m->send.type, m->reduction, m->comm))

CALLED(persistent, start_wait(bound_requests(m)))

static void create(struct measurement *m)
{
    const struct bound_form *form = m->form;
    MPI_Request request;
    form->bind(m, &request);
    MPI_Request_free(&request);
}

#define BOUND_HOOKS(operation) HOOKS_OF(bound, bound_form_init, operation, .free = bound_free)
#define BINDS(operation, tables_)                                                                  \
    .form = &(const struct bound_form)                                                             \
    {                                                                                              \
        .bind = bind_##operation, .tables = tables_                                                \
    }

/* A row for each form. In the overlap pattern the root is always rank 0. */
#define OVERLAPPED(number, operation, traits, sent, received, ...)                                 \
    OP("MPI_I" #operation, "MPI_I" #operation ", work, and MPI_Wait", (traits) & ~TYPE_ROOTED,     \
       sent, received, .in = OVERLAP_TYPE(number), .hooks = { .server_op = i##operation },         \
       .info.collective = "i" #operation, __VA_ARGS__)
#define PERSISTENT(number, name, text, operation, needs_, traits, sent, received, ...)             \
    OP("Persistent_" name, "MPI_Start and MPI_Wait of " text, TYPE_BOUND | (traits), sent,         \
       received, .in = SYNCOL_TYPE(number), .info.needs = needs_, BOUND_HOOKS(persistent),         \
       __VA_ARGS__)
#define CREATION(number, name, form_, needs_, traits, sent, received)                              \
    OP("MPI_" name "_init", "MPI_" name "_init and MPI_Request_free", traits, sent, received,      \
       .in = SYNCOL_TYPE(number), .info.needs = needs_, BOUND_HOOKS(create), form_)
#define COLLECTIVE(name, call_text, col, syncol, operation, overlap, start, text, creation, needs, \
                   traits, sent, received, ...)                                                    \
    OP("MPI_" name, "MPI_" name call_text, traits, sent, received, .in = COL_TYPES(col, syncol),   \
       .hooks = { .server_op = operation }, .counted = { .server_op = operation##_c },             \
       .info.collective = #operation, __VA_ARGS__),                                                \
        OVERLAPPED(overlap, operation, traits, sent, received, __VA_ARGS__),                       \
        PERSISTENT(start, name, text, operation, needs, traits, sent, received,                    \
                   BINDS(operation, false), __VA_ARGS__),                                          \
        CREATION(creation, name, BINDS(operation, false), needs, traits, sent, received)

#define ALL     NEEDS_PERSISTENT_COLLECTIVES
#define GATHERS NEEDS_PERSISTENT_COLLECTIVES | NEEDS_PERSISTENT_GATHERS

#define EACH   LENGTH_PER_PROCESS
#define LENGTH TYPE_HAS_LENGTH

static const struct op rows[] = {
    COLLECTIVE("Barrier", "", 18, 49, barrier, 310, 266, "a barrier", 383, ALL, 0, NO_LENGTH,
               NO_LENGTH, ),
    COLLECTIVE("Bcast", "", 17, 47, bcast, 311, 263, "a broadcast", 380, ALL,
               ROOTED | TYPE_SHARES_BUFFER, ONE_LENGTH, NO_LENGTH, .rewrite = rewrite_as_root,
               .origin = from_root),
    OP("bcast_by_ack",
       "MPI_Bcast that one process at a time acknowledges: checks type 47 without its clock",
       TYPE_HAS_LENGTH | TYPE_SHARES_BUFFER, ONE_LENGTH, NO_LENGTH, .in = CHECK_TYPE(170),
       .hooks = { .server_op = bcast }, .rewrite = rewrite_as_root, .origin = from_root),
    COLLECTIVE("Gather", "", 33, 48, gather, 312, 360, "a gather", 384, GATHERS, ROOTED, ONE_LENGTH,
               EACH, .origin = from_each_to_root),
    COLLECTIVE("Gatherv", " with equal counts", 41, 66, gatherv, 313, 361,
               "a gather with tables of counts", 385, ALL, ROOTED, ONE_LENGTH, EACH,
               .origin = from_each_to_root),
    COLLECTIVE("Scatter", "", 35, 60, scatter, 314, 362, "a scatter", 386, GATHERS, ROOTED, EACH,
               ONE_LENGTH, .rewrite = rewrite_as_root, .origin = from_root_its_own),
    COLLECTIVE("Scatterv", " with equal counts", 40, 65, scatterv, 315, 363,
               "a scatter with tables of counts", 387, ALL, ROOTED, EACH, ONE_LENGTH,
               .rewrite = rewrite_as_root, .origin = from_root_its_own),
    COLLECTIVE("Allgather", "", 39, 64, allgather, 316, 364, "a gather to all", 388, GATHERS,
               LENGTH, ONE_LENGTH, EACH, .origin = from_each),
    COLLECTIVE("Allgatherv", " with equal counts", 42, 67, allgatherv, 317, 365,
               "a gather to all with tables of counts", 389, ALL, LENGTH, ONE_LENGTH, EACH,
               .origin = from_each),
    COLLECTIVE("Alltoall", "", 20, 55, alltoall, 318, 265, "an all-to-all", 382, ALL, LENGTH, EACH,
               EACH, .origin = from_each_its_own),
    COLLECTIVE("Alltoallv", " with equal counts", 43, 68, alltoallv, 319, 366,
               "an all-to-all with tables of counts", 390, ALL, LENGTH, EACH, EACH,
               .origin = from_each_its_own),
    OVERLAPPED(320, alltoallw, LENGTH, EACH, EACH, .origin = from_each_its_own,
               .hooks.state = sizeof(struct bound), .hooks.init = bound_form_init,
               .hooks.free = bound_free, .form = &(const struct bound_form){ .tables = true }),
    PERSISTENT(367, "Alltoallw", "an all-to-all with tables of counts and types", alltoallw, ALL,
               LENGTH, EACH, EACH, BINDS(alltoallw, true), .origin = from_each_its_own),
    CREATION(391, "Alltoallw", BINDS(alltoallw, true), ALL, LENGTH, EACH, EACH),
    COLLECTIVE("Reduce", "", 19, 54, reduce, 321, 368, "a reduce", 392, ALL, REDUCES | TYPE_ROOTED,
               ONE_LENGTH, ONE_LENGTH, .origin = combined_at_root),
    COLLECTIVE("Allreduce", "", 36, 61, allreduce, 322, 264, "an allreduce", 381, ALL, REDUCES,
               ONE_LENGTH, ONE_LENGTH, .origin = combined),
    COLLECTIVE("Reduce_scatter", "", 38, 63, reduce_scatter, 323, 369, "a reduce-scatter", 393, ALL,
               REDUCES, EACH, ONE_LENGTH, .origin = combined_in_parts),
    COLLECTIVE("Reduce_scatter_block", "", 0, 281, reduce_scatter_block, 324, 370,
               "a reduce-scatter of equal parts", 394, ALL, REDUCES, EACH, ONE_LENGTH,
               .origin = combined_in_parts),
    COLLECTIVE("Scan", "", 21, 56, scan, 325, 371, "a scan", 395, ALL, REDUCES, ONE_LENGTH,
               ONE_LENGTH, .origin = combined_up_to),
    COLLECTIVE("Exscan", "", 0, 280, exscan, 326, 372, "an exclusive scan", 396, ALL, REDUCES,
               ONE_LENGTH, ONE_LENGTH, .origin = combined_below),
};

OP_FAMILY(collective_family, rows);
