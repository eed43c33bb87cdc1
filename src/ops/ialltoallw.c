/* MPI_Ialltoallw with equal counts and types: the other operations of the overlap pattern need no
 * tables of bytes and datatypes. */
#include "ops/arguments.h"
#include "ops/families.h"
#include "patterns/overlap.h"

#include <stdlib.h>

static void release(struct run *r)
{
    struct w_tables *t = r->state;
    if (t != NULL)
        w_tables_release(t);
    free(t);
    r->state = NULL;
}

static int init(struct run *r, struct err *e)
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

static const struct op rows[] = {
    { .info = { TYPE("MPI_Ialltoallw", "MPI_Ialltoallw, work, and MPI_Wait", TYPE_HAS_LENGTH),
                .send = LENGTH_PER_PROCESS, .receive = LENGTH_PER_PROCESS },
      .in = OVERLAP_TYPE(320),
      .hooks = { .init = init, .server_op = ialltoallw, .free = release },
      .origin = from_each_its_own },
};

OP_FAMILY(ialltoallw_family, rows);
