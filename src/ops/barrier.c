/* MPI_Barrier (manual table 3.5). */
#include "ops/families.h"

static void barrier(struct run *r)
{
    MPI_Barrier(r->comm);
}

static const struct op rows[] = {
    { .info = { TYPE("MPI_Barrier", "MPI_Barrier", 0) },
      .in = COL_TYPES(18, 49),
      .hooks = { .server_op = barrier } },
};

OP_FAMILY(barrier_family, rows);
