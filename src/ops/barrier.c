/* MPI_Barrier (manual table 3.5). */
#include "ops/families.h"

static void barrier(struct run *r)
{
    MPI_Barrier(r->comm);
}

static const struct op rows[] = {
    { .info = { .number = 18,
                .name = "MPI_Barrier",
                .text = "MPI_Barrier",
                .pattern = PATTERN_COL },
      .synchronised = 49,
      .hooks = { .server_op = barrier } },
};

OP_FAMILY(barrier_family, rows);
