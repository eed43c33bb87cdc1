/* Scatters (manual table 3.5). The length is that of the message each process gets. */
#include "ops/arguments.h"
#include "ops/families.h"
#include "patterns/repetition.h"

static void scatter(struct run *r)
{
    MPI_Scatter(r->send, r->send_count, r->send_type, r->receive, r->receive_count, r->receive_type,
                r->root, r->comm);
}

static void scatterv(struct run *r)
{
    MPI_Scatterv(r->send, r->send_counts, r->send_displacements, r->send_type, r->receive,
                 r->receive_count, r->receive_type, r->root, r->comm);
}

static const struct op rows[] = {
    { .info = { TYPE("MPI_Scatter", "MPI_Scatter", TYPE_HAS_LENGTH | TYPE_ROOTED),
                .send = LENGTH_PER_PROCESS, .receive = ONE_LENGTH },
      .in = COL_TYPES(35, 60),
      .hooks = { .server_op = scatter },
      .rewrite = rewrite_as_root,
      .origin = from_root_its_own },
    { .info = { TYPE("MPI_Scatterv", "MPI_Scatterv with equal counts",
                     TYPE_HAS_LENGTH | TYPE_ROOTED),
                .send = LENGTH_PER_PROCESS, .receive = ONE_LENGTH },
      .in = COL_TYPES(40, 65),
      .hooks = { .server_op = scatterv },
      .rewrite = rewrite_as_root,
      .origin = from_root_its_own },
};

OP_FAMILY(scatter_family, rows);
