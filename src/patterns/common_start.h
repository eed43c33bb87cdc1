/* Measuring from a common start, for the patterns whose processes all start at the same instant. */
#ifndef SKAMPI_PATTERNS_COMMON_START_H
#define SKAMPI_PATTERNS_COMMON_START_H

#include "patterns/pattern.h"

enum { MAX_BATCH = 1000 }; /* repetitions of a batch */

/* What a pattern adds. */
struct common_start {
    bool servers_only; /* a repetition's time is the longest of the processes that serve */
    /* With servers_only, which processes serve in repetition i of a batch, if that differs from one
     * repetition to the next; NULL: those that the pattern says. */
    bool (*serves)(const struct run *r, int i, void *context);
    /* Does it make the calls? It may do something else instead. NULL: every process does. */
    bool (*works)(const struct run *r);
    /* Called before each repetition, outside its time; NULL: nothing. */
    void (*prepare)(struct run *r, int i, void *context);
    int slots; /* of a repetition, each with a common start of its own; 0: one. The times of the
                * processes are those of the last one. */
    /* Rank 0: a valid repetition's time from those of its slots; NULL: the first one's. */
    double (*value)(const double *us, int slots, void *context);
    bool closing_barrier; /* a barrier follows the call; the servers' time includes it */
    /* Called after each batch of n repetitions, on all processes; NULL: nothing. own_us: this
     * process's times; late: on rank 0, not 0 if the repetition was dropped; NULL elsewhere. */
    void (*batch)(struct run *r, const double *own_us, const double *late, int n, void *context);
    /* Each repetition is a batch: nothing is known about how long what follows it takes. */
    bool alone;
    /* Rank 0: no repetition shall follow; NULL: never. */
    bool (*stops)(const void *context);
    void (*cut)(int kept, void *context); /* only the first valid repetitions are kept */
    void *context;
};

/* The measure function of a pattern. */
int common_start_measure(struct run *r, const struct op *op, struct series *s,
                         const struct common_start *w, struct err *e);

#endif
