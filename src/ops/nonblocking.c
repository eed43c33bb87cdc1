/* Non-blocking collective operations of the overlap pattern, with the root at rank 0 if they have
 * one. The lengths are those of their blocking forms. */
#include "ops/arguments.h"
#include "ops/families.h"
#include "patterns/overlap.h"
#include "patterns/pattern.h"

#include <stdlib.h>

/* Defines the operation that starts a request and waits for it. */
#define STARTED(operation, call, ...)                                                              \
    static void operation(struct run *r)                                                           \
    {                                                                                              \
        call(__VA_ARGS__, r->comm, &r->requests[0]);                                               \
        overlap_wait(r, r->requests, 1);                                                           \
    }

STARTED(root_sends, MPI_Ibcast, SENT, 0)
STARTED(others_receive, MPI_Ibcast, r->send, r->receive_count, r->receive_type, 0)
STARTED(igather, MPI_Igather, SENT, RECEIVED, 0)
STARTED(igatherv, MPI_Igatherv, SENT, RECEIVED_V, 0)
STARTED(iscatter, MPI_Iscatter, SENT, RECEIVED, 0)
STARTED(iscatterv, MPI_Iscatterv, SENT_V, RECEIVED, 0)
STARTED(iallgather, MPI_Iallgather, SENT, RECEIVED)
STARTED(iallgatherv, MPI_Iallgatherv, SENT, RECEIVED_V)
STARTED(ialltoall, MPI_Ialltoall, SENT, RECEIVED)
STARTED(ialltoallv, MPI_Ialltoallv, SENT_V, RECEIVED_V)
STARTED(ireduce, MPI_Ireduce, COMBINED, 0)
STARTED(iallreduce, MPI_Iallreduce, COMBINED)
STARTED(ireduce_scatter, MPI_Ireduce_scatter, r->send, r->receive, r->send_counts, r->send_type,
        r->reduction)
STARTED(ireduce_scatter_block, MPI_Ireduce_scatter_block, COMBINED)
STARTED(iscan, MPI_Iscan, COMBINED)
STARTED(iexscan, MPI_Iexscan, COMBINED)

static void ibarrier(struct run *r)
{
    MPI_Ibarrier(r->comm, &r->requests[0]);
    overlap_wait(r, r->requests, 1);
}

/* With equal counts and types; the other operations need no tables of bytes and datatypes. */
static void release_tables(struct run *r)
{
    struct w_tables *t = r->state;
    if (t != NULL)
        w_tables_release(t);
    free(t);
    r->state = NULL;
}

static int init_tables(struct run *r, struct err *e)
{
    struct w_tables *t = r->state = calloc(1, sizeof(*t));
    return t == NULL ? err_no_memory(e, sizeof(*t)) : w_tables_init(t, r, e);
}

static void ialltoallw(struct run *r)
{
    const struct w_tables *t = r->state;
    MPI_Ialltoallw(SENT_W(*t), RECEIVED_W(*t), r->comm, &r->requests[0]);
    overlap_wait(r, r->requests, 1);
}

#define BROADCAST TYPE_HAS_LENGTH | TYPE_SHARES_BUFFER
#define REDUCES   TYPE_HAS_LENGTH | TYPE_REDUCES | TYPE_ONE_DATATYPE
#define OVERLAP(number, name, traits, send_, receive_, operation, ...)                             \
    {                                                                                              \
        .info = { TYPE(name, name ", work, and MPI_Wait", traits), .send = send_,                  \
                  .receive = receive_ },                                                           \
        .in = OVERLAP_TYPE(number), .hooks = { .server_op = operation }, __VA_ARGS__               \
    }

static const struct op rows[] = {
    OVERLAP(310, "MPI_Ibarrier", 0, NO_LENGTH, NO_LENGTH, ibarrier, ),
    { .info = { TYPE("MPI_Ibcast", "MPI_Ibcast, work, and MPI_Wait", BROADCAST),
                .send = ONE_LENGTH },
      .in = OVERLAP_TYPE(311),
      .hooks = { .server_op = root_sends, .client_op = others_receive },
      .rewrite = rewrite_as_root,
      .origin = from_root },
    OVERLAP(312, "MPI_Igather", TYPE_HAS_LENGTH, ONE_LENGTH, LENGTH_PER_PROCESS, igather,
            .origin = from_each_to_root),
    OVERLAP(313, "MPI_Igatherv", TYPE_HAS_LENGTH, ONE_LENGTH, LENGTH_PER_PROCESS, igatherv,
            .origin = from_each_to_root),
    OVERLAP(314, "MPI_Iscatter", TYPE_HAS_LENGTH, LENGTH_PER_PROCESS, ONE_LENGTH, iscatter,
            .origin = from_root_its_own, .rewrite = rewrite_as_root),
    OVERLAP(315, "MPI_Iscatterv", TYPE_HAS_LENGTH, LENGTH_PER_PROCESS, ONE_LENGTH, iscatterv,
            .origin = from_root_its_own, .rewrite = rewrite_as_root),
    OVERLAP(316, "MPI_Iallgather", TYPE_HAS_LENGTH, ONE_LENGTH, LENGTH_PER_PROCESS, iallgather,
            .origin = from_each),
    OVERLAP(317, "MPI_Iallgatherv", TYPE_HAS_LENGTH, ONE_LENGTH, LENGTH_PER_PROCESS, iallgatherv,
            .origin = from_each),
    OVERLAP(318, "MPI_Ialltoall", TYPE_HAS_LENGTH, LENGTH_PER_PROCESS, LENGTH_PER_PROCESS,
            ialltoall, .origin = from_each_its_own),
    OVERLAP(319, "MPI_Ialltoallv", TYPE_HAS_LENGTH, LENGTH_PER_PROCESS, LENGTH_PER_PROCESS,
            ialltoallv, .origin = from_each_its_own),
    OVERLAP(321, "MPI_Ireduce", REDUCES, ONE_LENGTH, ONE_LENGTH, ireduce, ),
    OVERLAP(322, "MPI_Iallreduce", REDUCES, ONE_LENGTH, ONE_LENGTH, iallreduce, ),
    OVERLAP(323, "MPI_Ireduce_scatter", REDUCES, LENGTH_PER_PROCESS, ONE_LENGTH, ireduce_scatter, ),
    OVERLAP(324, "MPI_Ireduce_scatter_block", REDUCES, LENGTH_PER_PROCESS, ONE_LENGTH,
            ireduce_scatter_block, ),
    OVERLAP(325, "MPI_Iscan", REDUCES, ONE_LENGTH, ONE_LENGTH, iscan, ),
    OVERLAP(326, "MPI_Iexscan", REDUCES, ONE_LENGTH, ONE_LENGTH, iexscan, ),
    { .info = { TYPE("MPI_Ialltoallw", "MPI_Ialltoallw, work, and MPI_Wait", TYPE_HAS_LENGTH),
                .send = LENGTH_PER_PROCESS, .receive = LENGTH_PER_PROCESS },
      .in = OVERLAP_TYPE(320),
      .hooks = { .init = init_tables, .server_op = ialltoallw, .free = release_tables },
      .origin = from_each_its_own },
};

OP_FAMILY(nonblocking_family, rows);
