/* Internal measurements (types 50 to 53): what the other measurements rest on, one row per
 * process. The operation collects the times of a batch by itself. */
#include "patterns/pattern.h"

#include <stdlib.h>

enum { BATCH_MOST = 1000 };

int internal_measure(struct run *r, const struct op *op, struct series *s, struct err *e)
{
    int n, rc = 0;
    double *us = malloc(BATCH_MOST * sizeof(double));
    if (us == NULL)
        rc = err_no_memory(e, BATCH_MOST * sizeof(double));
    rc = ranks_agree(r->control, rc, e);
    while (rc == 0 && (n = pattern_next_batch(r, s, BATCH_MOST)) > 0) {
        op->internal(r, us, n);
        for (int i = 0; i < n && r->rank == 0; i++)
            series_add(s, us[i] * 1e-6);
    }
    free(us);
    return rc;
}
