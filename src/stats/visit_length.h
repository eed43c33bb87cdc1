/* How many visits an argument has, how long each is, and by that an estimate of the time of a run
 * before anything is measured. Pure. */
#pragma once

#include "model/suite.h"
#include "stats/stop.h"

/* An argument has no more visits after this number that could not start together. */
enum { VISITS_GIVEN_UP = 3 };

/* The most visits of an argument, each in a pass: passes=; or 10, 5 if Max_Repetition is below 40,
 * fewer if one repetition, or turn, is not left for each, or with a limit of time. */
int visits_count(const struct suite *s, int processes);

/* The most repetitions of a visit, which counts from 0; of all together, Max_Repetition. */
int visits_share(const struct suite *s, int processes, int visit);

/* A visit, as far as it follows from the run and not from the suite. */
struct visit {
    bool is_other;  /* of the overhead, or a part of the operation */
    int number;     /* from 0 */
    int fixed;      /* number of the argument's visits; 0: this one may fix it */
    long length;    /* bytes of a message */
    double least_s; /* as of outlook */
    double most_s;  /* what is left of all limits of time; INFINITY without any */
    double tick_s;
};

/* The limits of a visit, except is_short and may_leave. */
struct limits visit_limits(const struct params *p, const struct suite *s, int processes,
                           const struct visit *v);

/* Fixes the number of visits, at most as many as so far, before the first repetition that counts.
 * All visits share the time: each is prepared like this one, which took passed_s for it, and then
 * has eight repetitions of this length, or lasts 3 ms. */
void limits_fix_visits(struct limits *l, double passed_s, double repetition_s);

/* The number of repetitions, of all visits, without which no value is accurate: 3 / share. A delay
 * that affects this share of the repetitions is missed by fewer than 5 % of the measurements. The
 * share is the accuracy if the cut removes such rare delays, and a quarter of it if it does not:
 * then a delay by the repetition's own time moves the mean by the share. At least min_repetition;
 * with ERROR_PAPER exactly min_repetition. May exceed max_repetition. */
double limits_least(const struct limits *l);

/* With @TIMERUN: each suite has an equal part of it, and each of its arguments an equal part of
 * that as its Time_Measurement, or keeps one that is shorter. */
void visits_share_time(struct params *p, int processes);

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

struct forecast {
    double rows, seconds;
};

/* A suite's most rows, and seconds on a quiet machine, by the limits of time, or the accuracy. */
struct forecast estimate_suite(const struct outlook *x, const struct suite *s);

/* The seconds of one argument, in all its visits. */
double estimate_row_s(const struct outlook *x, const struct suite *s, long argument);
