/* Reports the progress of the run on standard error: on a terminal, one line that is updated;
 * otherwise a line per suite, and then one for each round of turns. Rank 0 only. */
#pragma once

#include "stats/visit_length.h"

/* The expectation of a suite. */
struct expected {
    struct forecast all;
    double left_s; /* of the passes that are left */
    bool begun;
    int passes; /* done, also by earlier launches */
};

struct progress {
    bool quiet, terminal;
    double (*now)(void);
    double started_s;
    double seen_s, to_do_s; /* at the end of the last turn: now, and what was left */
    double spent_s, done_s; /* the time and the estimate of what is done; recent turns count more */
    const struct params *params;
    struct outlook outlook;
    size_t suite;            /* index of the current one */
    double all_s;            /* estimated seconds of all suites */
    struct expected *suites; /* owned; one for each */
};

void progress_init(struct progress *g, const struct outlook *x, bool quiet, double (*now)(void));
void progress_release(struct progress *g);

/* Call once for every suite to be measured, with its passes by earlier launches. */
void progress_expect(struct progress *g, size_t suite, int passes);
void progress_begin_turn(struct progress *g, size_t suite);

/* Call before each argument, with the number of rows done. */
void progress_argument(struct progress *g, size_t done);

/* The time that the run still takes, by the estimate and by the duration of recent turns above all;
 * part_s: estimated seconds of the turn that are done. */
double progress_left_s(const struct progress *g, double part_s);

/* Ends a turn; more: the suite has another one. */
void progress_end_turn(struct progress *g, bool more);

/* "13 s", "1:20 min" */
const char *progress_duration(double seconds, char *buffer, size_t size);

/* The duration in a buffer that lasts until the end of the block. */
#define duration_of(seconds) progress_duration(seconds, (char[32]){ "" }, 32)

/* Prints the place of the results, and how the time was spent. */
void progress_end(struct progress *g, const char *where, const char *shares);
