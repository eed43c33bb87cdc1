/* A priority queue of numbered items whose ranks may change: a binary heap that knows the position
 * of each. Every operation takes at most logarithmic time in the number of items. */
#pragma once

#include "base/err.h"

/* The higher level comes first; among equal levels the higher first, then the higher second, then
 * the lower number. No NaN. */
struct rank {
    int level;
    double first, second;
};

struct queue {          /* {0} is empty */
    size_t *heap;       /* owned; the numbers in the queue, the highest rank at [0] */
    size_t *place;      /* owned; by number: 1 + its place in heap, 0: not in the queue */
    struct rank *ranks; /* owned; by number */
    size_t count;
    size_t capacity; /* of all three */
};

/* Puts the number into the queue, or gives it another rank. Returns -1 without memory. */
int queue_set(struct queue *q, size_t number, struct rank rank, struct err *e);

/* Removes the number if it is in the queue. */
void queue_remove(struct queue *q, size_t number);

/* The number with the highest rank, which remains in the queue; false if the queue is empty. */
bool queue_first(const struct queue *q, size_t *number);

void queue_release(struct queue *q);
