/* Irregular collectives: the elements that the regular operation would send are divided into parts
 * of unequal size, as the key spread says (model/spreading.h). The total is the same. */
#include "model/spreading.h"
#include "ops/arguments.h"

static void place(struct measurement *m)
{
    struct side *const sides[] = { &m->send, &m->receive };
    for (int k = 0; k < 2; k++)
        for (int i = 0, at = 0; i < m->size; at += sides[k]->counts[i++])
            sides[k]->displacements[i] = at;
}

static void all_to_all_init(struct measurement *m)
{
    const struct spread x = spread_of(m->suite, m->at.spread);
    spread_counts(&x, m->size, m->rank, true, m->send.count, m->send.counts);
    spread_counts(&x, m->size, m->rank, false, m->send.count, m->receive.counts);
    place(m);
}

static void in_parts_init(struct measurement *m)
{
    const struct spread x = spread_of(m->suite, m->at.spread);
    spread_parts(&x, m->size, m->send.count, m->send.counts);
    spread_parts(&x, m->size, m->send.count, m->receive.counts);
    place(m);
}

static int with_types_init(struct measurement *m, struct err *e)
{
    all_to_all_init(m);
    return w_tables_init(m->state, m, e);
}

CALLED(with_types_free, w_tables_release(m->state))

CALLED(alltoallv, MPI_Alltoallv(own_sent(m), SENT_ITEMS_V, RECEIVED_V, m->comm))
CALLED_OF(w_tables, alltoallw, MPI_Alltoallw(SENT_W_AT(own_sent(m), *k), RECEIVED_W(*k), m->comm))
CALLED(gatherv, MPI_Gatherv(roots_sent(m), m->send.counts[m->rank], m->send.type, RECEIVED_V,
                            m->root, m->comm))
CALLED(scatterv, MPI_Scatterv(SENT_V, roots_received(m), m->receive.counts[m->rank],
                              m->receive.type, m->root, m->comm))
CALLED(allgatherv,
       MPI_Allgatherv(own_sent(m), m->send.counts[m->rank], m->send.type, RECEIVED_V, m->comm))
CALLED(reduce_scatter, MPI_Reduce_scatter(own_sent(m), m->receive.at, m->send.counts, m->send.type,
                                          m->reduction, m->comm))

/* The place of the message from or to a process. */
static char *part_at(const struct side *s, int process)
{
    return s->at + s->displacements[process] * (s->stride / s->elements);
}

CALLED(isend_irecv, exchange_with_all(m, part_at, true))

/* The origin of a part, if it has elements. */
static struct origin part(int rank, int sent_at, int received_at, int elements)
{
    return (struct origin){ elements > 0 ? rank : MPI_PROC_NULL, 0, elements, sent_at,
                            received_at };
}

static struct origin from_all(const struct measurement *m, int message)
{
    const struct spread x = spread_of(m->suite, m->at.spread);
    int at = 0;
    if (message >= m->size)
        return part(0, 0, 0, 0);
    spread_counts(&x, m->size, message, true, m->send.count, m->send.counts);
    for (int i = 0; i < m->rank; i++)
        at += m->send.counts[i];
    return part(message, at, m->receive.displacements[message], m->receive.counts[message]);
}

static struct origin from_its_own(const struct measurement *m, int message)
{
    bool receives = (m->suite->type->traits & TYPE_ROOTED) == 0 || m->rank == m->root;
    return part(message, 0, m->receive.displacements[message],
                receives ? m->receive.counts[message] : 0);
}

/* A part of the root's elements, or of the combined ones. */
static struct origin of_its_part(const struct measurement *m, int message)
{
    int last = (m->suite->type->traits & TYPE_REDUCES) != 0 ? m->size - 1 : m->root;
    return part(last, m->send.displacements[m->rank], 0,
                message == 0 ? m->receive.counts[m->rank] : 0);
}

#define SPREAD SENDS_EACH, RECEIVES_EACH, .info.options = OPTIONS(OPTION_SPREAD)

static const struct op rows[] = {
    OP("Irregular_Alltoallv", "MPI_Alltoallv with unequal counts; spread",
       TYPE_ONE_DATATYPE | TYPE_ALL_TO_ALL, SPREAD, IN_PLACE(RESULTS), .in = COL_TYPES(246, 240),
       .hooks.init = all_to_all_init, .hooks.server_op = alltoallv, .origin = from_all),
    OP("Irregular_Alltoallw", "MPI_Alltoallw with unequal counts; spread",
       TYPE_ONE_DATATYPE | TYPE_ALL_TO_ALL, SPREAD, IN_PLACE(RESULTS), .in = COL_TYPES(247, 241),
       .hooks = { .state = sizeof(struct w_tables),
                  .try_init = with_types_init,
                  .server_op = alltoallw,
                  .free = with_types_free },
       .origin = from_all),
    OP("Irregular_Alltoallv_Isend_Irecv",
       "the same by MPI_Isend and MPI_Irecv of the parts with elements; spread",
       TYPE_ONE_DATATYPE | TYPE_ALL_TO_ALL, SPREAD, .in = COL_TYPES(253, 252),
       .hooks.init = all_to_all_init, .hooks.server_op = isend_irecv, .origin = from_all),
    OP("Irregular_Gatherv", "MPI_Gatherv with unequal counts; spread",
       TYPE_ONE_DATATYPE | TYPE_ROOTED, SPREAD, IN_PLACE(PART), .in = COL_TYPES(248, 242),
       .hooks.init = in_parts_init, .hooks.server_op = gatherv, .origin = from_its_own),
    OP("Irregular_Scatterv", "MPI_Scatterv with unequal counts; spread",
       TYPE_ONE_DATATYPE | TYPE_ROOTED, SPREAD, IN_PLACE(SOURCE), .in = COL_TYPES(249, 243),
       .hooks.init = in_parts_init, .hooks.server_op = scatterv, .origin = of_its_part),
    OP("Irregular_Allgatherv", "MPI_Allgatherv with unequal counts; spread", TYPE_ONE_DATATYPE,
       SPREAD, IN_PLACE(PART), .in = COL_TYPES(250, 244), .hooks.init = in_parts_init,
       .hooks.server_op = allgatherv, .origin = from_its_own),
    OP("Irregular_Reduce_scatter", "MPI_Reduce_scatter with unequal counts; spread",
       TYPE_ONE_DATATYPE | TYPE_REDUCES, SPREAD, IN_PLACE(RESULTS), .in = COL_TYPES(251, 245),
       .hooks.init = in_parts_init, .hooks.server_op = reduce_scatter, .origin = of_its_part),
};

OP_FAMILY(irregular_family, rows);
