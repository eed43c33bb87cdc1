/* skampi.out (manual 3.2): the text of its header, blocks and trailer. Pure; writing the text to
 * the disk is store.h's. */
#ifndef SKAMPI_RESULTS_OUTPUT_H
#define SKAMPI_RESULTS_OUTPUT_H

#include "base/text.h"
#include "measure/stats.h"
#include "params/demand.h"
#include "params/params.h"

#include <stddef.h>

struct row {
    long argument;
    struct stats stats;
    enum stop stop;
    bool refined;       /* the argument was placed by the refinement */
    int invalid;        /* repetitions that were dropped and repeated */
    double overhead_us; /* taken off each repetition (@ABSOLUTE) */
    int partner;        /* ping-pong: the client; 0: no ping-pong */
    double *node_us;    /* owned; NULL without Node_Times; the last repetition, one per process */
    int nodes;
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
    struct row *rows;     /* owned; sorted by argument */
    size_t count;
};

/* "#@NAME value"; the further lines of a value with several start with "# ". */
void output_field(struct text *out, const char *name, const char *value);

/* Separator, eight header lines, "#@TIMEOF" (what the times are times of),
 * "#@FIRSTCALL", notes, rows, "#eol". */
void output_block(struct text *out, const struct block *b);

void output_trailer(struct text *out);

#endif
