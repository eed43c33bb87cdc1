/* Irregular collectives: the elements that the regular operation would send are divided into parts
 * of unequal size, as the key spread says (model/spreading.h). The total is the same. */
#include "model/spreading.h"
#include "ops/arguments.h"

static void place(struct side *s, int size)
{
    for (int i = 0, at = 0; i < size; at += s->counts[i++])
        s->displacements[i] = at;
}

static int all_to_all_init(struct run *r, struct err *e)
{
    const struct spread x = spread_of(r->suite, r->at.spread);
    spread_sent(&x, r->size, r->rank, r->send.count, r->send.counts);
    spread_received(&x, r->size, r->rank, r->send.count, r->receive.counts);
    place(&r->send, r->size);
    place(&r->receive, r->size);
    return 0;
}

static int in_parts_init(struct run *r, struct err *e)
{
    const struct spread x = spread_of(r->suite, r->at.spread);
    spread_parts(&x, r->size, r->send.count, r->send.counts);
    spread_parts(&x, r->size, r->send.count, r->receive.counts);
    place(&r->send, r->size);
    place(&r->receive, r->size);
    return 0;
}

static int with_types_init(struct run *r, struct err *e)
{
    all_to_all_init(r, e);
    return w_tables_init(r->state, r, e);
}

CALLED(with_types_free, w_tables_release(r->state))

CALLED(alltoallv, MPI_Alltoallv(SENT_V, RECEIVED_V, r->comm))
CALLED_OF(w_tables, alltoallw, MPI_Alltoallw(SENT_W(*k), RECEIVED_W(*k), r->comm))
CALLED(gatherv,
       MPI_Gatherv(r->send.at, r->send.counts[r->rank], r->send.type, RECEIVED_V, r->root, r->comm))
CALLED(scatterv, MPI_Scatterv(SENT_V, r->receive.at, r->receive.counts[r->rank], r->receive.type,
                              r->root, r->comm))
CALLED(allgatherv,
       MPI_Allgatherv(r->send.at, r->send.counts[r->rank], r->send.type, RECEIVED_V, r->comm))
CALLED(reduce_scatter, MPI_Reduce_scatter(r->send.at, r->receive.at, r->send.counts, r->send.type,
                                          r->reduction, r->comm))

/* Where a part comes from, if it has elements. */
static struct origin part(int rank, int sent_at, int received_at, int elements)
{
    return (struct origin){ elements > 0 ? rank : MPI_PROC_NULL, 0, elements, sent_at,
                            received_at };
}

static struct origin from_all(const struct run *r, int message)
{
    const struct spread x = spread_of(r->suite, r->at.spread);
    int at = 0;
    if (message >= r->size)
        return part(0, 0, 0, 0);
    spread_sent(&x, r->size, message, r->send.count, r->send.counts);
    for (int i = 0; i < r->rank; i++)
        at += r->send.counts[i];
    return part(message, at, r->receive.displacements[message], r->receive.counts[message]);
}

static struct origin from_its_own(const struct run *r, int message)
{
    bool receives = (r->suite->type->traits & TYPE_ROOTED) == 0 || r->rank == r->root;
    return part(message, 0, r->receive.displacements[message],
                receives ? r->receive.counts[message] : 0);
}

/* Its part of what the root sends, or all combine. */
static struct origin of_its_part(const struct run *r, int message)
{
    int last = (r->suite->type->traits & TYPE_REDUCES) != 0 ? r->size - 1 : r->root;
    return part(last, r->send.displacements[r->rank], 0,
                message == 0 ? r->receive.counts[r->rank] : 0);
}

#define IRREGULAR(col, syncol, name, text, more, operation, init_, origin_, ...)                   \
    OP(name, text, TYPE_HAS_LENGTH | TYPE_ONE_DATATYPE | (more), LENGTH_PER_PROCESS,               \
       LENGTH_PER_PROCESS, .in = COL_TYPES(col, syncol), .info.options = OPTIONS(OPTION_SPREAD),   \
       .origin = origin_, .hooks = { .init = init_, .server_op = operation, __VA_ARGS__ })

static const struct op rows[] = {
    IRREGULAR(246, 240, "Irregular_Alltoallv", "MPI_Alltoallv with unequal counts; spread",
              TYPE_ALL_TO_ALL, alltoallv, all_to_all_init, from_all, ),
    IRREGULAR(247, 241, "Irregular_Alltoallw", "MPI_Alltoallw with unequal counts; spread",
              TYPE_ALL_TO_ALL, alltoallw, with_types_init, from_all,
              .state = sizeof(struct w_tables), .free = with_types_free),
    IRREGULAR(248, 242, "Irregular_Gatherv", "MPI_Gatherv with unequal counts; spread", TYPE_ROOTED,
              gatherv, in_parts_init, from_its_own, ),
    IRREGULAR(249, 243, "Irregular_Scatterv", "MPI_Scatterv with unequal counts; spread",
              TYPE_ROOTED, scatterv, in_parts_init, of_its_part, ),
    IRREGULAR(250, 244, "Irregular_Allgatherv", "MPI_Allgatherv with unequal counts; spread", 0,
              allgatherv, in_parts_init, from_its_own, ),
    IRREGULAR(251, 245, "Irregular_Reduce_scatter",
              "MPI_Reduce_scatter with unequal counts; spread", TYPE_REDUCES, reduce_scatter,
              in_parts_init, of_its_part, ),
};

OP_FAMILY(irregular_family, rows);
