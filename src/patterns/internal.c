/* Internal measurements (types 50 to 53): the basis of the other measurements, one row per process.
 * The operation itself collects the times of a batch. */
#include "patterns/op.h"

#include <stdlib.h>

enum { MAX_BATCH = 1000 };

static int measure(struct run *r, const struct op *op, struct series *s, struct err *e)
{
    int n, rc = 0;
    double *us = malloc(MAX_BATCH * sizeof(double));
    if (us == NULL)
        rc = err_no_memory(e, MAX_BATCH * sizeof(double));
    rc = ranks_agree(r->control, rc, e);
    while (rc == 0 && (n = pattern_next_batch(r, s, MAX_BATCH)) > 0) {
        op->internal(r, us, n);
        for (int i = 0; i < n && r->rank == 0; i++)
            series_add(s, us[i] * 1e-6);
    }
    free(us);
    return rc;
}

static bool can_measure(const struct op *op)
{
    return op->internal != NULL;
}

/* One row per process. */
static int partner(const struct machine *m, const struct suite *s, long argument)
{
    (void)m;
    (void)s;
    return (int)argument;
}

const struct pattern internal_pattern = {
    .info = { .prefix = "internal",
              .title = "Internal",
              .variations = VARIES_NONE,
              .traits = PATTERN_PER_PROCESS | PATTERN_GLOBAL_CLOCK,
              .first_call_on = "rank 0" },
    .measure = measure,
    .can_measure = can_measure,
    .takes_part = pattern_all_take_part,
    .serves = pattern_root_serves,
    .agree = pattern_all_agree,
    .partner = partner,
};
