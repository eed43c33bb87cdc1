/* Internal measurements (types 50 to 53): what the other measurements rest on, one row per
 * process. The operation collects the times by itself; there is nothing to refine or to stop. */
#include "patterns/pattern.h"

#include <stdlib.h>

void internal_measure(struct run *r, const struct op *op, struct series *s)
{
    int n = r->suite->max_repetition;
    struct err e = { "" };
    double *us = calloc((size_t)n, sizeof(double)); /* rank 0 is at no distance from itself */
    if (ranks_agree(r->control, us == NULL ? -1 : 0, &e) == 0) {
        op->internal(r, us, n);
        for (int i = 0; i < n && r->rank == 0; i++)
            series_add(s, us[i] * 1e-6);
    }
    free(us);
    if (r->rank == 0)
        s->stop = STOP_REPETITIONS;
}
