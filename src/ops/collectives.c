/* The collective operations of MPI (manual table 3.5 and MPI 4), each in up to four forms: a call;
 * started, then work, then completed; a persistent request started and completed; creating and
 * freeing that request alone. The call has another form with large counts. */
#include "context/library.h"
#include "ops/arguments.h"
#include "patterns/overlap.h"

/* Define the forms of an operation: by a call; started, then work, then completed; a request. */
#define STARTED(function, start, ...)                                                              \
    CALLED(function, start(__VA_ARGS__, &m->requests[0]); overlap_wait(m, m->requests, 1))
#define BOUND(function, name, ...)                                                                 \
    static void function(struct measurement *m, MPI_Request *q)                                    \
    {                                                                                              \
        PERSISTENT_INIT(name, q, __VA_ARGS__);                                                     \
    }
#define FORMS(call, started, bind, name, ...)                                                      \
    CALLED(call, MPI_##name(__VA_ARGS__))                                                          \
    STARTED(started, MPI_I##call, __VA_ARGS__)                                                     \
    BOUND(bind, name, __VA_ARGS__)

/* All processes use their send buffer; on the root it holds the message. The root has the send
 * datatype, the others the receive datatype. */
static inline const struct side *broadcast_side(const struct measurement *m)
{
    return m->rank == m->root ? &m->send : &m->receive;
}
#define BROADCAST   m->send.at, broadcast_side(m)->count, broadcast_side(m)->type
#define BROADCAST_C m->send.at, broadcast_side(m)->elements, broadcast_side(m)->type
#define TABLES      ((const struct bound *)m->state)->tables

/* Open MPI's MPIX_Reduce_init refuses equal buffers, even of empty messages. */
static inline char *result_of_reduce(const struct measurement *m)
{
    bool in_place = m->in_place && m->rank == m->root;
    return m->receive.at == m->send.at && !in_place ? m->receive.at + 1 : m->receive.at;
}

FORMS(barrier, ibarrier, bind_barrier, Barrier, m->comm)
FORMS(bcast, ibcast, bind_bcast, Bcast, BROADCAST, m->root, m->comm)
CALLED(bcast_c, COUNTED_CALL(Bcast, BROADCAST_C, m->root, m->comm))
FORMS(gather, igather, bind_gather, Gather, roots_sent(m), SENT_ITEMS, RECEIVED, m->root, m->comm)
CALLED(gather_c, COUNTED_CALL(Gather, roots_sent(m), SENT_ITEMS_C, RECEIVED_C, m->root, m->comm))
FORMS(gatherv, igatherv, bind_gatherv, Gatherv, roots_sent(m), SENT_ITEMS, RECEIVED_V, m->root,
      m->comm)
CALLED(gatherv_c,
       COUNTED_CALL(Gatherv, roots_sent(m), SENT_ITEMS_C, RECEIVED_V_C, m->root, m->comm))
FORMS(scatter, iscatter, bind_scatter, Scatter, SENT, roots_received(m), RECEIVED_ITEMS, m->root,
      m->comm)
CALLED(scatter_c,
       COUNTED_CALL(Scatter, SENT_C, roots_received(m), RECEIVED_ITEMS_C, m->root, m->comm))
FORMS(scatterv, iscatterv, bind_scatterv, Scatterv, SENT_V, roots_received(m), RECEIVED_ITEMS,
      m->root, m->comm)
CALLED(scatterv_c,
       COUNTED_CALL(Scatterv, SENT_V_C, roots_received(m), RECEIVED_ITEMS_C, m->root, m->comm))
FORMS(allgather, iallgather, bind_allgather, Allgather, own_sent(m), SENT_ITEMS, RECEIVED, m->comm)
CALLED(allgather_c, COUNTED_CALL(Allgather, own_sent(m), SENT_ITEMS_C, RECEIVED_C, m->comm))
FORMS(allgatherv, iallgatherv, bind_allgatherv, Allgatherv, own_sent(m), SENT_ITEMS, RECEIVED_V,
      m->comm)
CALLED(allgatherv_c, COUNTED_CALL(Allgatherv, own_sent(m), SENT_ITEMS_C, RECEIVED_V_C, m->comm))
FORMS(alltoall, ialltoall, bind_alltoall, Alltoall, own_sent(m), SENT_ITEMS, RECEIVED, m->comm)
CALLED(alltoall_c, COUNTED_CALL(Alltoall, own_sent(m), SENT_ITEMS_C, RECEIVED_C, m->comm))
FORMS(alltoallv, ialltoallv, bind_alltoallv, Alltoallv, own_sent(m), SENT_ITEMS_V, RECEIVED_V,
      m->comm)
CALLED(alltoallv_c, COUNTED_CALL(Alltoallv, own_sent(m), SENT_ITEMS_V_C, RECEIVED_V_C, m->comm))
FORMS(allreduce, iallreduce, bind_allreduce, Allreduce, COMBINED, m->comm)
CALLED(allreduce_c, COUNTED_CALL(Allreduce, COMBINED_C, m->comm))
FORMS(reduce_scatter, ireduce_scatter, bind_reduce_scatter, Reduce_scatter, own_sent(m),
      m->receive.at, m->send.counts, m->send.type, m->reduction, m->comm)
CALLED(reduce_scatter_c, COUNTED_CALL(Reduce_scatter, own_sent(m), m->receive.at,
                                      m->send.large_counts, m->send.type, m->reduction, m->comm))
FORMS(reduce_scatter_block, ireduce_scatter_block, bind_reduce_scatter_block, Reduce_scatter_block,
      COMBINED, m->comm)
CALLED(reduce_scatter_block_c, COUNTED_CALL(Reduce_scatter_block, COMBINED_C, m->comm))
FORMS(scan, iscan, bind_scan, Scan, COMBINED, m->comm)
CALLED(scan_c, COUNTED_CALL(Scan, COMBINED_C, m->comm))
FORMS(exscan, iexscan, bind_exscan, Exscan, COMBINED, m->comm)
CALLED(exscan_c, COUNTED_CALL(Exscan, COMBINED_C, m->comm))
#define barrier_c NULL /* it counts nothing */

STARTED(ialltoallw, MPI_Ialltoallw, SENT_W_AT(own_sent(m), TABLES), RECEIVED_W(TABLES), m->comm)
BOUND(bind_alltoallw, Alltoallw, SENT_W_AT(own_sent(m), TABLES), RECEIVED_W(TABLES), m->comm)
CALLED(reduce, MPI_Reduce(roots_sent(m), m->receive.at, COMBINED_ITEMS, m->root, m->comm))
CALLED(reduce_c,
       COUNTED_CALL(Reduce, roots_sent(m), m->receive.at, COMBINED_ITEMS_C, m->root, m->comm))
STARTED(ireduce, MPI_Ireduce, roots_sent(m), m->receive.at, COMBINED_ITEMS, m->root, m->comm)
BOUND(bind_reduce, Reduce, roots_sent(m), result_of_reduce(m), COMBINED_ITEMS, m->root, m->comm)

static const struct bound_form alltoallw_form = { bind_alltoallw, .each = 1, .tables = true };

CALLED(start, start_wait(bound_requests(m)))

static void create(struct measurement *m)
{
    const struct bound_form *form = m->form;
    MPI_Request request;
    form->bind(m, &request);
    MPI_Request_free(&request);
}

#define ALL        NEEDS_PERSISTENT_COLLECTIVES
#define GATHERINGS NEEDS_PERSISTENT_COLLECTIVES | NEEDS_PERSISTENT_GATHERS

/* Rows of an operation: its call; the others. In the overlap pattern the root is always rank 0. The
 * texts say how counts are given; then come the numbers of the types: of the call between barriers
 * (0: none) and synchronised, of the work, of a persistent request that is started or created.
 * NEEDS: of both of these. All but the creation of a request have FROM, one member. */
#define COLLECTIVE(operation, name, call_text, text, col, syncol, work, start_, create_, traits,   \
                   needs_, bus, from, ...)                                                         \
    OP("MPI_" name, "MPI_" name call_text, traits, .info.rate = RATE_##bus,                        \
       .in = COL_TYPES(col, syncol), .hooks.server_op = operation,                                 \
       .counted.server_op = operation##_c, .info.collective = #operation, from, __VA_ARGS__),      \
        OP("MPI_I" #operation, "MPI_I" #operation ", work, and MPI_Wait", (traits) & ~TYPE_ROOTED, \
           .in = OVERLAP_TYPE(work), .hooks.server_op = i##operation,                              \
           .info.collective = "i" #operation, from, __VA_ARGS__),                                  \
        OP("Persistent_" name, "MPI_Start and MPI_Wait of " text, TYPE_BOUND | (traits),           \
           .in = SYNCOL_TYPE(start_), .info.needs = needs_, BOUND_HOOKS,                           \
           FORM(bound_form, .bind = bind_##operation, .each = 1), .hooks.server_op = start,        \
           .info.rate = RATE_##bus, from, __VA_ARGS__),                                            \
        OP("MPI_" name "_init", "MPI_" name "_init and MPI_Request_free", traits,                  \
           .in = SYNCOL_TYPE(create_), .info.needs = needs_, BOUND_HOOKS,                          \
           FORM(bound_form, .bind = bind_##operation, .each = 1), .hooks.server_op = create,       \
           .info.rate = RATE_NONE, __VA_ARGS__)

#define BROADCASTS SENDS_ONE, .rewrite = rewrite_as_root
#define SCATTERS   SENDS_EACH, RECEIVES_ONE, IN_PLACE(SOURCE), .rewrite = rewrite_as_root
#define GATHERS    SENDS_ONE, RECEIVES_EACH, IN_PLACE(PART)
#define EXCHANGES  SENDS_EACH, RECEIVES_EACH, IN_PLACE(RESULTS)
#define COMBINES   SENDS_ONE, RECEIVES_ONE, IN_PLACE(RESULTS)
#define DIVIDES    SENDS_EACH, RECEIVES_ONE, IN_PLACE(RESULTS)

static const struct op rows[] = {
    COLLECTIVE(barrier, "Barrier", "", "a barrier", 18, 49, 310, 266, 383, 0, ALL, OF_TIME,
               .origin = NULL, .info.send = { 0 }),
    COLLECTIVE(bcast, "Bcast", "", "a broadcast", 17, 47, 311, 263, 380,
               TYPE_ROOTED | TYPE_SHARES_BUFFER, ALL, BUS, .origin = from_root, BROADCASTS),
    OP("bcast_by_ack",
       "MPI_Bcast that one process at a time acknowledges: checks type 47 without its clock",
       TYPE_SHARES_BUFFER, BROADCASTS, .origin = from_root, .in = { { &by_ack_pattern, 170 } },
       .hooks.server_op = bcast),
    COLLECTIVE(gather, "Gather", "", "a gather", 33, 48, 312, 360, 384, TYPE_ROOTED, GATHERINGS,
               BUS_OTHERS, .origin = from_each_to_root, GATHERS),
    COLLECTIVE(gatherv, "Gatherv", " with equal counts", "a gather with tables of counts", 41, 66,
               313, 361, 385, TYPE_ROOTED, ALL, BUS_OTHERS, .origin = from_each_to_root, GATHERS),
    COLLECTIVE(scatter, "Scatter", "", "a scatter", 35, 60, 314, 362, 386, TYPE_ROOTED, GATHERINGS,
               BUS_OTHERS, .origin = from_root_its_own, SCATTERS),
    COLLECTIVE(scatterv, "Scatterv", " with equal counts", "a scatter with tables of counts", 40,
               65, 315, 363, 387, TYPE_ROOTED, ALL, BUS_OTHERS, .origin = from_root_its_own,
               SCATTERS),
    COLLECTIVE(allgather, "Allgather", "", "a gather to all", 39, 64, 316, 364, 388, 0, GATHERINGS,
               BUS_OTHERS, .origin = from_each, GATHERS),
    COLLECTIVE(allgatherv, "Allgatherv", " with equal counts",
               "a gather to all with tables of counts", 42, 67, 317, 365, 389, 0, ALL, BUS_OTHERS,
               .origin = from_each, GATHERS),
    COLLECTIVE(alltoall, "Alltoall", "", "an all-to-all", 20, 55, 318, 265, 382, 0, ALL, BUS_OTHERS,
               .origin = from_each_its_own, EXCHANGES),
    COLLECTIVE(alltoallv, "Alltoallv", " with equal counts", "an all-to-all with tables of counts",
               43, 68, 319, 366, 390, 0, ALL, BUS_OTHERS, .origin = from_each_its_own, EXCHANGES),
    OP("MPI_Ialltoallw", "MPI_Ialltoallw, work, and MPI_Wait", 0, BOUND_HOOKS, EXCHANGES,
       .in = OVERLAP_TYPE(320), .hooks.server_op = ialltoallw, .info.collective = "ialltoallw",
       FORM(bound_form, .tables = true), .origin = from_each_its_own),
    OP("Persistent_Alltoallw",
       "MPI_Start and MPI_Wait of an all-to-all with tables of counts and types", TYPE_BOUND,
       BOUND_HOOKS, EXCHANGES, .in = SYNCOL_TYPE(367), .info.rate = RATE_BUS_OTHERS,
       .info.needs = ALL, .hooks.server_op = start, .form = &alltoallw_form,
       .origin = from_each_its_own),
    OP("MPI_Alltoallw_init", "MPI_Alltoallw_init and MPI_Request_free", 0, BOUND_HOOKS, EXCHANGES,
       .in = SYNCOL_TYPE(391), .info.needs = ALL, .hooks.server_op = create, .info.rate = RATE_NONE,
       .form = &alltoallw_form),
    COLLECTIVE(reduce, "Reduce", "", "a reduce", 19, 54, 321, 368, 392, REDUCES | TYPE_ROOTED, ALL,
               BUS, .origin = combined_at_root, COMBINES),
    COLLECTIVE(allreduce, "Allreduce", "", "an allreduce", 36, 61, 322, 264, 381, REDUCES, ALL,
               BUS_TWICE, .origin = combined, COMBINES),
    COLLECTIVE(reduce_scatter, "Reduce_scatter", "", "a reduce-scatter", 38, 63, 323, 369, 393,
               REDUCES, ALL, BUS_OTHERS, .origin = combined_in_parts, DIVIDES),
    COLLECTIVE(reduce_scatter_block, "Reduce_scatter_block", "", "a reduce-scatter of equal parts",
               0, 281, 324, 370, 394, REDUCES, ALL, BUS_OTHERS, .origin = combined_in_parts,
               DIVIDES),
    COLLECTIVE(scan, "Scan", "", "a scan", 21, 56, 325, 371, 395, REDUCES, ALL, OF_TIME,
               .origin = combined_up_to, COMBINES),
    COLLECTIVE(exscan, "Exscan", "", "an exclusive scan", 0, 280, 326, 372, 396, REDUCES, ALL,
               OF_TIME, .origin = combined_below, COMBINES),
};

OP_FAMILY(collective_family, rows);
