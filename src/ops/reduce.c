/* Operations that combine data (manual table 3.5). The length is that of one process's result:
 * Reduce_scatter reduces one such part per process. */
#include "ops/families.h"

static void reduce(struct run *r)
{
    MPI_Reduce(r->send, r->receive, r->send_count, r->send_type, r->reduction, r->root, r->comm);
}

static void scan(struct run *r)
{
    MPI_Scan(r->send, r->receive, r->send_count, r->send_type, r->reduction, r->comm);
}

static void allreduce(struct run *r)
{
    MPI_Allreduce(r->send, r->receive, r->send_count, r->send_type, r->reduction, r->comm);
}

static void reduce_bcast(struct run *r)
{
    MPI_Reduce(r->send, r->receive, r->send_count, r->send_type, r->reduction, r->root, r->comm);
    MPI_Bcast(r->receive, r->send_count, r->send_type, r->root, r->comm);
}

static void reduce_scatter(struct run *r)
{
    MPI_Reduce_scatter(r->send, r->receive, r->send_counts, r->send_type, r->reduction, r->comm);
}

/* Where the reduced parts are on the root before they are scattered: after its own part. */
static char *reduced(const struct run *r)
{
    return run_receive_block(r, 1);
}

static void reduce_scatterv(struct run *r)
{
    MPI_Reduce(r->send, reduced(r), r->size * r->send_count, r->send_type, r->reduction, r->root,
               r->comm);
    MPI_Scatterv(reduced(r), r->send_counts, r->send_displacements, r->send_type, r->receive,
                 r->send_count, r->send_type, r->root, r->comm);
}

/* Rank 0 has no result. */
static void exscan(struct run *r)
{
    MPI_Exscan(r->send, r->receive, r->send_count, r->send_type, r->reduction, r->comm);
}

static void reduce_scatter_block(struct run *r)
{
    MPI_Reduce_scatter_block(r->send, r->receive, r->send_count, r->send_type, r->reduction,
                             r->comm);
}

static void reduce_local(struct run *r)
{
    MPI_Reduce_local(r->send, r->receive, r->send_count, r->send_type, r->reduction);
}

#define REDUCES TYPE_HAS_LENGTH | TYPE_REDUCES | TYPE_ONE_DATATYPE
#define ROOTED  REDUCES | TYPE_ROOTED

static const struct op rows[] = {
    { .info = { TYPE("MPI_Reduce", "MPI_Reduce", ROOTED), .send = ONE_LENGTH,
                .receive = ONE_LENGTH },
      .in = COL_TYPES(19, 54),
      .hooks = { .server_op = reduce } },
    { .info = { TYPE("MPI_Scan", "MPI_Scan", REDUCES), .send = ONE_LENGTH, .receive = ONE_LENGTH },
      .in = COL_TYPES(21, 56),
      .hooks = { .server_op = scan } },
    { .info = { TYPE("MPI_Allreduce", "MPI_Allreduce", REDUCES), .send = ONE_LENGTH,
                .receive = ONE_LENGTH },
      .in = COL_TYPES(36, 61),
      .hooks = { .server_op = allreduce } },
    { .info = { TYPE("MPI_Reduce_Bcast", "MPI_Reduce followed by MPI_Bcast", ROOTED),
                .send = ONE_LENGTH, .receive = ONE_LENGTH },
      .in = COL_TYPES(37, 62),
      .hooks = { .server_op = reduce_bcast } },
    { .info = { TYPE("MPI_Reduce_scatter", "MPI_Reduce_scatter", REDUCES),
                .send = LENGTH_PER_PROCESS, .receive = ONE_LENGTH },
      .in = COL_TYPES(38, 63),
      .hooks = { .server_op = reduce_scatter } },
    { .info = { TYPE("MPI_Reduce_Scatterv", "MPI_Reduce followed by MPI_Scatterv", ROOTED),
                .send = LENGTH_PER_PROCESS, .receive = { 1, 1 } },
      .in = COL_TYPES(44, 69),
      .hooks = { .server_op = reduce_scatterv } },
    { .info = { TYPE("MPI_Exscan", "MPI_Exscan", REDUCES), .send = ONE_LENGTH,
                .receive = ONE_LENGTH },
      .in = SYNCOL_TYPE(280),
      .hooks = { .server_op = exscan } },
    { .info = { TYPE("MPI_Reduce_scatter_block", "MPI_Reduce_scatter_block", REDUCES),
                .send = LENGTH_PER_PROCESS, .receive = ONE_LENGTH },
      .in = SYNCOL_TYPE(281),
      .hooks = { .server_op = reduce_scatter_block } },
    { .info = { TYPE("MPI_Reduce_local", "MPI_Reduce_local on all processes at once", REDUCES),
                .send = ONE_LENGTH, .receive = ONE_LENGTH },
      .in = SYNCOL_TYPE(282),
      .hooks = { .server_op = reduce_local } },
};

OP_FAMILY(reduce_family, rows);
