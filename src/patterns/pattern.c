#include "patterns/pattern.h"

static measure_function *const measure_functions[PATTERN_COUNT] = {
    [PATTERN_P2P] = p2p_measure,       [PATTERN_MW] = mw_measure,
    [PATTERN_COL] = col_measure,       [PATTERN_SYNCOL] = syncol_measure,
    [PATTERN_SIMPLE] = simple_measure, [PATTERN_INTERNAL] = internal_measure,
};

bool pattern_takes_part(const struct run *r)
{
    switch (r->suite->type->pattern) {
    case PATTERN_P2P:
        return r->rank == 0 || r->rank == r->partner;
    case PATTERN_SIMPLE:
        return r->rank == 0;
    default:
        return r->comm != MPI_COMM_NULL;
    }
}

int pattern_next_batch(struct run *r, struct series *s)
{
    int n = r->rank == 0 ? series_next(s) : 0;
    MPI_Bcast(&n, 1, MPI_INT, 0, r->control);
    return n;
}

void pattern_call(struct run *r, const struct op *op)
{
    if (r->rank == 0 || op->hooks.client_op == NULL)
        op->hooks.server_op(r);
    else
        op->hooks.client_op(r);
}

/* The processes that take part agree on whether all could prepare. */
static int agree(struct run *r, int rc, struct err *e)
{
    if (r->suite->type->pattern == PATTERN_SIMPLE)
        return rc;
    if (r->suite->type->pattern != PATTERN_P2P)
        return ranks_agree(r->control, rc, e);
    int other = r->rank == 0 ? r->partner : 0, theirs;
    MPI_Sendrecv(&rc, 1, MPI_INT, other, 0, &theirs, 1, MPI_INT, other, 0, r->control,
                 MPI_STATUS_IGNORE);
    return rc != 0 || theirs != 0 ? err_set(e, "another process could not go on") : 0;
}

int pattern_measure(struct run *r, const struct op *op, struct series *s, struct err *e)
{
    bool mw = r->suite->type->pattern == PATTERN_MW;
    int (*init)(struct run *, struct err *) = mw ? op->mw.init : op->hooks.init;
    void (*release)(struct run *) = mw ? op->mw.free : op->hooks.free;
    bool ready = r->rank != 0 || s->times_us != NULL;
    r->state = NULL;
    run_next_buffers(r);
    int rc = agree(r, ready && (init == NULL || init(r, e) == 0) ? 0 : -1, e);
    if (rc == 0)
        measure_functions[r->suite->type->pattern](r, op, s);
    if (release != NULL)
        release(r);
    return rc;
}
