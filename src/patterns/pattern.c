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

int pattern_next_batch(struct run *r, struct series *s, int most)
{
    int n = r->rank == 0 ? series_next(s, r->machine->clock.now()) : 0;
    n = n < most ? n : most;
    MPI_Bcast(&n, 1, MPI_INT, 0, r->control);
    return n;
}

void pattern_first_call(struct run *r, double seconds)
{
    if (r->first_call_s < 0.0)
        r->first_call_s = seconds;
}

const struct op_hooks *pattern_hooks(const struct run *r, const struct op *op)
{
    bool packs = (op->info.traits & TYPE_PACKS) != 0 && r->suite->options.method == METHOD_PACK;
    return packs ? &op->packed : &op->hooks;
}

void pattern_finalize(struct run *r, const struct op *op)
{
    if (op->hooks.finalize != NULL)
        op->hooks.finalize(r);
}

void pattern_call(struct run *r, const struct op *op)
{
    if (r->rank == 0 || op->hooks.client_op == NULL)
        op->hooks.server_op(r);
    else
        op->hooks.client_op(r);
}

/* Server and client tell each other how they fare. */
static int pair_agrees(struct run *r, int rc, struct err *e)
{
    struct err theirs = { "" };
    MPI_Sendrecv(e->text, sizeof(e->text), MPI_CHAR, r->peer, 0, theirs.text, sizeof(theirs.text),
                 MPI_CHAR, r->peer, 0, r->control, MPI_STATUS_IGNORE);
    if (rc == 0 && err_is_set(&theirs))
        rc = err_set(e, "%s", theirs.text);
    return rc;
}

int pattern_agree(struct run *r, int rc, struct err *e)
{
    switch (r->suite->type->pattern) {
    case PATTERN_SIMPLE:
        return rc;
    case PATTERN_P2P:
        return pair_agrees(r, rc, e);
    default:
        return ranks_agree(r->control, rc, e);
    }
}

int pattern_begin(struct run *r, const struct op *op, int rc, struct err *e)
{
    bool mw = r->suite->type->pattern == PATTERN_MW;
    int (*init)(struct run *, struct err *) = mw ? op->mw.init : pattern_hooks(r, op)->init;
    r->state = NULL;
    run_first_buffers(r);
    if (rc == 0 && init != NULL)
        rc = init(r, e);
    return pattern_agree(r, rc, e);
}

void pattern_end(struct run *r, const struct op *op)
{
    bool mw = r->suite->type->pattern == PATTERN_MW;
    void (*release)(struct run *) = mw ? op->mw.free : pattern_hooks(r, op)->free;
    if (release != NULL)
        release(r);
}

int pattern_measure(struct run *r, const struct op *op, struct series *s, int rc, struct err *e)
{
    bool ready = rc == 0;
    rc = pattern_begin(r, op, rc, e);
    if (rc == 0)
        rc = measure_functions[r->suite->type->pattern](r, op, s, e);
    if (ready)
        pattern_end(r, op);
    return rc;
}
