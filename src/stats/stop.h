/* The decision whether the repetitions of one argument are accurate enough, and how many more are
 * needed. No MPI; the caller passes the clock's tick. */
#pragma once

#include "stats/stats.h"

enum stop {
    STOP_NONE, /* continue */
    STOP_ACCURACY,
    STOP_REPETITIONS,
    STOP_TIME,
    STOP_UNSYNCHRONISED, /* no valid repetition within the limit of tries */
    STOP_VISITS,         /* of a row: each visit is accurate, but they differ */
    STOP_CLOCK,          /* of a row: its repetitions are accurate, its clocks are not */
    STOP_COUNT
};
const char *stop_name(enum stop stop); /* "accuracy", ... as in the output */

/* Limits of one measurement, which may be one of several visits of a row. What the accuracy needs
 * is for all visits together: each makes its share of the repetitions, with an error that is larger
 * by the root of their number. */
struct limits {
    int min_repetition;    /* of all visits */
    int max_repetition;    /* of this visit */
    double standard_error; /* relative; of all visits */
    double cut_quantile;
    double time_s; /* longest duration of this visit, which alone then ends it; 0: no limit */
    double tick_s; /* the clock's resolution: the repetitions together must last tick / error */
    enum error_rule error;
    double outliers; /* as in struct summing */
    int visits;      /* 0: one */
    double visit_s;  /* one of several lasts at least so long, or has all of its repetitions, unless
                      * they are equal */
    int touches;     /* number of first ones that do not count, at least (series.h) */
    bool is_short;   /* a signal does not end it */
    bool warms;      /* key warmup */
    bool fixes_visits; /* with a limit of time, this first visit fixes the number of visits */
    int turn;          /* repetitions of a visit that use each root */
    int visits_least;  /* that it fixes, unless there are fewer; 0: one */
    double most_s;     /* what is left for this visit, whatever its limit of time is; 0: no limit */
    bool may_leave;    /* no value is better than a call that ends after it */
};

/* The repetitions so far. */
struct effort {
    double n;        /* valid repetitions */
    double sum_s;    /* their total time */
    double passed_s; /* since the measurement began, with all that happened between them */
};

/* Call after at least one batch. A visit of several that is shorter than visit_s is accurate only
 * with all of its repetitions. Values without an error are never accurate: fewer than
 * FEWEST_REPETITIONS, or values that differ and have a mean of zero or less. */
enum stop stop_decide(const struct limits *l, const struct stats *s, const struct effort *effort);

/* The number of repetitions before the next decision, at least 1: first the visit's share of
 * limits_least, then as many as the error so far makes probable, at most doubling the number, never
 * beyond max_repetition nor (by the mean so far) the time limit. */
int batch_size(const struct limits *l, const struct stats *s, const struct effort *effort);
