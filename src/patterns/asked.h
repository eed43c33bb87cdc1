/* The processes that acknowledge in by_ack.c, and what their acknowledgements cost. */
#pragma once

#include "context/run.h"

struct op;

enum { MAX_ASKED = 16, ASKED_TAG = 20 };

struct asked {
    int count;
    int ranks[MAX_ASKED];
    /* Half of an empty round trip; valid on rank 0. */
    double way_s[MAX_ASKED];
    double longest_us, longest_error_us;
    double settle_s; /* this long after a process has left a barrier, all others have left it */
};

/* Collective over the run. Asks all other processes if they are at most MAX_ASKED. Otherwise half
 * of those asked are spread evenly over the ranks, and the rest are those that finish last by the
 * global clock, which is used for nothing else. Calls the operation a few times. */
void asked_choose(struct asked *a, struct run *r, const struct op *op);

/* An untimed start: all wait for rank 0 without sending anything, then at a barrier. Rank 0 waits
 * until all others have left the barrier, too, and returns the time at that instant. */
double asked_start(struct run *r, const struct asked *a);

/* Sends an empty message to rank 0; on rank 0: receives that of a process. */
void asked_acknowledge(const struct run *r);
void asked_await(const struct run *r, int rank);
