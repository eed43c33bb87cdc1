/* When processes start the call of a repetition, by the key arrival: together, or late. */
#pragma once

#include "context/run.h"

/* After the agreed instant: this process, and the last one of its communicator. */
struct arrival {
    double own_s, last_s;
};

/* In a repetition. All processes give the same number. */
struct arrival arrival_of(const struct run *r, long repetition);
