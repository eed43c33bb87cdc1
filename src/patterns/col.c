/* Collective operations between barriers (manual 3.1.4): timed on the root from its start until it
 * leaves the barrier behind the operation. The first repetition behind a message that says how
 * many follow is not counted. */
#include "patterns/pattern.h"

#include <limits.h>

static void repetition(struct run *r, const struct op *op)
{
    double (*now)(void) = r->machine->clock.now;
    double start = now();
    pattern_call(r, op);
    if (r->rank != 0)
        r->own_time_s = now() - start;
    pattern_finalize(r, op);
    MPI_Barrier(r->comm);
    if (r->rank == 0)
        r->own_time_s = now() - start;
}

static void repeat(struct run *r, const struct op *op, struct series *s, int n)
{
    MPI_Barrier(r->comm);
    for (int i = 0; i <= n; i++) {
        run_next_buffers(r);
        repetition(r, op);
        if (s != NULL && r->rank == 0 && i > 0)
            series_add(s, r->own_time_s);
    }
}

int col_measure(struct run *r, const struct op *op, struct series *s, struct err *e)
{
    int n;
    (void)e;
    if (r->params->cache_warmup > 0)
        repeat(r, op, NULL, r->params->cache_warmup);
    while ((n = pattern_next_batch(r, s, INT_MAX)) > 0)
        repeat(r, op, s, n);
    return 0;
}
