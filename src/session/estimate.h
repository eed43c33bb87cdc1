/* An estimate of the time of a run, before anything is measured. Pure. */
#pragma once

#include "params/params.h"

/* The time of a start and of a repetition. */
#define ESTIMATE_START_S      0.5
#define ESTIMATE_REPETITION_S 20e-6
#define ESTIMATE_BYTE_S       0.1e-9

/* The suites' outlook for a number of processes. Borrows the parameters. */
struct outlook {
    const struct params *params;
    int processes;
    double visit_s; /* a visit of a row lasts at least so long, if its repetitions permit: together
                       the visits of a short file last about a second */
};
struct outlook outlook_of(const struct params *p, int processes);

/* With @TIMERUN: each suite has an equal part of it, and each of its arguments an equal part of
 * that as its Time_Measurement, or keeps one that is shorter. */
void estimate_share_time(struct params *p, int processes);

struct forecast {
    double rows, seconds;
};

/* A suite's most rows, and seconds on a quiet machine, by the limits of time, or the accuracy. */
struct forecast estimate_suite(const struct outlook *x, const struct suite *s);

/* The seconds of one argument, in all its visits. */
double estimate_row_s(const struct outlook *x, const struct suite *s, long argument);
