/* The permutation test of every verdict: single-step max-T over whole launches (Westfall and
 * Young, 1993), moderated by s0 as in SAM (Tusher et al., 2001). For each point of two sides
 *
 *   T = (mean of NEW - mean of BASE) / (s + s0)
 *
 * where s is the pooled standard error and s0 the median of s over the points, computed anew for
 * each relabeling. Without BASE the values are differences of pairs within a launch: T is their
 * mean by (s + s0), and a relabeling turns the signs of whole launches.
 *
 * difference +- critical * scale are simultaneous intervals: at a point they do not contain 0 if
 * and only if its p is at most alpha. Significant differences, which would widen all intervals, are
 * removed before relabelings are looked at again (stepping down as Romano and Wolf, 2005). */
#pragma once

#include "base/err.h"

struct maxt_plan {
    size_t base, new, points; /* launches of both sides; base is 0 for pairs */
    size_t relabelings;       /* random ones, if all of them are more than 20,000 */
    uint64_t seed;
    double alpha;
};

struct maxt {
    size_t relabelings; /* used relabelings, including the observed labels */
    bool exact;         /* all of them */
    double critical;    /* larger |T| are significant at alpha; INFINITY: none can be */
    double *t, *p;      /* of each point: T, and p adjusted for all points; owned by t, like: */
    double *difference, *scale; /* the difference of the means, and s + s0 */
};

/* VALUES: for each launch, those of BASE first, the logarithm of the time at each point; NaN if it
 * is missing. They are changed. */
void maxt_test(struct maxt *m, const struct maxt_plan *plan, double *values);
void maxt_release(struct maxt *m);
