/* Does the MPI library accept the algorithm that it shall use? */
#include "patterns/algorithm_probe.h"

#include "patterns/op.h"

#include <signal.h>

static volatile sig_atomic_t refusals;

static void refuse(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    refusals++;
}

static void call_once(struct run *r, const struct op *op)
{
    repetition_next(r, op, 1);
    pattern_prepare(r, op);
    algorithm_toggle(&r->algorithm);
    pattern_calls(r, op, 1);
    pattern_finalize(r, op);
    algorithm_toggle(&r->algorithm);
}

int algorithm_probe(struct run *r, const struct op *op, bool *fits, struct err *e)
{
    MPI_Errhandler before, handler;
    int all = 0;
    MPI_Comm_get_errhandler(r->comm, &before);
    MPI_Comm_create_errhandler(refuse, &handler);
    MPI_Comm_set_errhandler(r->comm, handler);
    refusals = 0;
    int rc = pattern_begin(r, op, 0, e);
    if (rc == 0)
        call_once(r, op);
    pattern_end(r, op);
    MPI_Comm_set_errhandler(r->comm, before);
    MPI_Errhandler_free(&before);
    MPI_Errhandler_free(&handler);
    int own = (int)refusals;
    MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MAX, r->control);
    *fits = all == 0;
    return rc;
}
