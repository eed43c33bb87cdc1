/* The points that refinement adds between the neighbours of a sweep: for the tests of refinement
 * and probes. */
#pragma once

#include "asked.h"

static const struct plan_spec log_spec = {
    SCALE_DYNAMIC_LOG, 0, 1L << 16, 1, 2.0, 100, 1.0, ANY, 0.01
};

TIME_OF(square, 1.0 + (double)m * (double)m)

/* The points that refinement placed between two neighbours of the sweep. */
static inline size_t count_inside(const struct asked *a, size_t segment)
{
    size_t swept = a->count - a->refined, count = 0;
    for (size_t i = swept; i < a->count; i++)
        count +=
            a->arguments[i] > a->arguments[segment] && a->arguments[i] < a->arguments[segment + 1];
    return count;
}

/* How many segments of the sweep have such points, and how many more points than the three that
 * show what is inside. */
enum { PROBES = 3 };
static inline size_t count_probed(const struct asked *a, size_t *more)
{
    size_t probed = 0;
    *more = 0;
    for (size_t i = 0; i + 1 < a->count - a->refined; i++) {
        size_t inside = count_inside(a, i);
        probed += inside > 0;
        *more += inside > PROBES ? inside - PROBES : 0;
    }
    return probed;
}
