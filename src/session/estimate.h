/* How long suites will probably take, before anything is measured. No MPI. */
#pragma once

#include "params/params.h"

/* What a start takes, and what is assumed of a repetition. */
#define ESTIMATE_START_S      0.5
#define ESTIMATE_REPETITION_S 20e-6
#define ESTIMATE_BYTE_S       0.1e-9

struct forecast {
    double rows, seconds;
};

/* At most these rows; on a quiet machine about these seconds, from the limits of time, or from the
 * repetitions that the accuracy needs. */
struct forecast estimate_suite(const struct params *p, const struct suite *s, int processes);
