/* Which suite is measured next: in rounds, a pass of each. Suites that crashed before come last,
 * one after the other. All ranks have the same rounds; rank 0 adds the suites. No MPI. */
#pragma once

#include "base/err.h"

struct rounds {
    int *suites; /* owned; indexes of those to measure */
    int left;    /* number of them */
    int in_turn; /* the first ones, which have a pass in each round */
    int at;      /* the place in suites of the next one */
};

/* For at most this number of suites. */
void rounds_init(struct rounds *r, size_t suites);
void rounds_release(struct rounds *r);

/* Adds a suite; first those in turn. */
void rounds_add(struct rounds *r, size_t suite, bool in_turn);

/* The suite whose pass is next; -1: all are done. */
int rounds_next(struct rounds *r);

/* After a pass of the suite that rounds_next has returned: it is done, or others follow. */
void rounds_remove(struct rounds *r);
void rounds_go_on(struct rounds *r);
