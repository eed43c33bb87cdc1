/* The processes that acknowledge in by_ack.c, and what their acknowledgements cost. */
#ifndef SKAMPI_PATTERNS_ASKED_H
#define SKAMPI_PATTERNS_ASKED_H

#include "patterns/op.h"

enum { ASKED_MOST = 16, ASKED_TAG = 20 };

struct asked {
    int count;
    int ranks[ASKED_MOST];
    double way_s[ASKED_MOST]; /* half of an empty round trip; on rank 0 */
    double settle_s;          /* after a process has left a barrier, all others have */
};

/* Collective over the run. If there are more than ASKED_MOST others: half of those that are asked
 * are chosen evenly, the others are those that finish last by the global clock, which decides
 * nothing else. Calls the operation a few times. */
void asked_choose(struct asked *a, struct run *r, const struct op *op);

/* An untimed start: all wait for rank 0 without sending anything, and then at a barrier. Rank 0
 * waits after it until all others have left it, too, and returns when that was. */
double asked_start(struct run *r, const struct asked *a);

/* An empty message to rank 0; rank 0: from that process. */
void asked_acknowledge(const struct run *r);
void asked_await(const struct run *r, int rank);

#endif
