/* The measurements of one suite, until they are written. */
#ifndef SKAMPI_RESULTS_BLOCK_H
#define SKAMPI_RESULTS_BLOCK_H

#include "base/err.h"
#include "results/extra_values.h"
#include "stats/stats.h"
#include "model/buffer_size.h"
#include "model/parameters.h"

#include <stddef.h>

struct row {
    long argument;
    struct stats stats;
    enum stop stop;
    bool refined;       /* the argument was placed by the refinement */
    int invalid;        /* repetitions that were dropped and repeated */
    double residual_us; /* synchronised: so far apart were the clocks, at most */
    double looking;     /* and the share of the time in which they were looked at; else 0 */
    double overhead_us; /* taken off each repetition (@ABSOLUTE) */
    int partner;        /* ping-pong: the client; 0: no ping-pong */
    double *node_us;    /* owned; NULL without Node_Times; of one repetition, one per process */
    int nodes;
    struct extra_value extra[EXTRA_MOST]; /* of type_extra() */
};

/* The measurements of one suite. */
struct block {
    const struct params *params;
    const struct suite *suite;
    struct range range;
    int processes;        /* of the run */
    double time_minutes;  /* that the suite took */
    double first_call_us; /* never part of a row; negative: none was timed */
    long first_argument;  /* where it was timed */
    char *notes;          /* owned; further lines "#@NAME value\n", or NULL */
    struct row *rows;     /* owned */
    size_t count;
    size_t capacity; /* of rows */
};

/* Appends a copy of the row, which then owns a copy of the nodes' times. */
int block_append(struct block *b, const struct row *row, struct err *e);

/* By argument, as they are written. */
void block_sort(struct block *b);

void block_release(struct block *b);

#endif
