/* The starts of processes within a repetition, by the key arrival. */
#pragma once

#include "context/measurement.h"

/* The delay of this process after the agreed instant, and of the last one of its communicator. */
struct arrival {
    double own_s, last_s;
};

/* The delays in a repetition. All processes give the same number. */
struct arrival arrival_of(const struct measurement *m, long repetition);
