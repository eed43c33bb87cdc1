/* The permutation test of skampi-compare: single-step max-T over whole launches (Westfall and
 * Young, 1993), moderated by s0 as in SAM (Tusher et al., 2001). For each point
 *
 *   T = (mean of NEW - mean of BASE) / (s + s0)
 *
 * where s is the pooled standard error and s0 the median of s over the points, computed anew for
 * each relabeling. */
#ifndef SKAMPI_STATS_MAXT_H
#define SKAMPI_STATS_MAXT_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct maxt_plan {
    size_t base, new, points; /* launches of both sides; each has a value at each point */
    size_t relabelings;       /* random ones, if all of them are more than 20,000 */
    uint64_t seed;
    double alpha;
};

struct maxt {
    size_t relabelings; /* that were used, the observed labels included */
    bool exact;         /* all of them */
    double critical;    /* the smallest |T| that is significant at alpha; INFINITY: none */
    double *t, *p;      /* of each point: T, and p adjusted for all points; owned by t */
};

/* VALUES: for each launch, those of BASE first, the logarithm of the time at each point; NaN if it
 * is missing. They are changed. Fails without memory. Call maxt_release in any case. */
int maxt_test(struct maxt *m, const struct maxt_plan *plan, double *values, struct err *e);
void maxt_release(struct maxt *m);

#endif
