/* When processes start the call of a repetition, by the key arrival. */
#pragma once

#include "context/measurement.h"

/* So long after the agreed instant does this process start, and the last one of its communicator.
 */
struct arrival {
    double own_s, last_s;
};

/* In a repetition. All processes give the same number. */
struct arrival arrival_of(const struct measurement *m, long repetition);
