/* Computing for a given time, as an application does while messages are under way. It reads no
 * clock and calls no MPI: a library that makes no progress by itself gets no help. Where computing
 * takes no time, on a simulated machine, sleeping is the work. */
#pragma once

#include "model/suite.h"

struct clock;

struct work {
    double *memory;       /* owned; with WORK_MEMORY */
    size_t count;         /* of numbers in it, a multiple of a cache line */
    size_t at;            /* the next one */
    volatile double sink; /* the result, so that it is computed */
    double steps_per_s;
    bool sleeps; /* computing takes no time */
};

/* Measures how fast this process computes; takes a few milliseconds. Release w in any case. */
int work_init(struct work *w, const struct clock *c, enum work_place place, struct err *e);
void work_release(struct work *w);

void work_for(struct work *w, double seconds);
