/* MPI_Ialltoallw with equal counts and types: the other operations of the overlap pattern need no
 * tables of bytes and datatypes. */
#include "ops/families.h"
#include "patterns/overlap.h"

#include <stdlib.h>

struct tables {
    MPI_Datatype *types; /* owned; per process what is sent, then what is received */
    int *bytes;          /* owned; likewise, the places */
};

static void release(struct run *r)
{
    struct tables *t = r->state;
    if (t != NULL) {
        free(t->types);
        free(t->bytes);
    }
    free(t);
    r->state = NULL;
}

static int init(struct run *r, struct err *e)
{
    size_t n = 2 * (size_t)r->size;
    struct tables *t = r->state = calloc(1, sizeof(*t));
    if (t == NULL)
        return err_no_memory(e, sizeof(*t));
    t->types = malloc(n * sizeof(MPI_Datatype));
    t->bytes = malloc(n * sizeof(int));
    if (t->types == NULL || t->bytes == NULL)
        return err_no_memory(e, n * (sizeof(MPI_Datatype) + sizeof(int)));
    for (int i = 0; i < r->size; i++) {
        t->types[i] = r->send_type;
        t->types[r->size + i] = r->receive_type;
        t->bytes[i] = (int)(run_send_block(r, i) - r->send);
        t->bytes[r->size + i] = (int)(run_receive_block(r, i) - r->receive);
    }
    return 0;
}

static void ialltoallw(struct run *r)
{
    const struct tables *t = r->state;
    MPI_Ialltoallw(r->send, r->send_counts, t->bytes, t->types, r->receive, r->receive_counts,
                   t->bytes + r->size, t->types + r->size, r->comm, &r->requests[0]);
    overlap_wait(r, r->requests, 1);
}

static struct origin from_each(const struct run *r, int message)
{
    return (struct origin){ message, r->rank };
}

static const struct op rows[] = {
    { .info = { TYPE("MPI_Ialltoallw", "MPI_Ialltoallw, work, and MPI_Wait", TYPE_HAS_LENGTH),
                .send = LENGTH_PER_PROCESS, .receive = LENGTH_PER_PROCESS },
      .in = OVERLAP_TYPE(320),
      .hooks = { .init = init, .server_op = ialltoallw, .free = release },
      .origin = from_each },
};

OP_FAMILY(ialltoallw_family, rows);
