/* Statistics of the repetitions of one argument, and the decision whether they are accurate enough
 * (paper 4.1, manual 2.1.6). No MPI; the caller passes the clock's tick. */
#ifndef SKAMPI_STATS_STATS_H
#define SKAMPI_STATS_STATS_H

enum stop {
    STOP_NONE, /* continue */
    STOP_ACCURACY,
    STOP_REPETITIONS,
    STOP_TIME,
    STOP_UNSYNCHRONISED, /* no valid repetition within the limit of tries */
    STOP_COUNT
};
const char *stop_name(enum stop stop); /* "accuracy", ... as in the output */

struct summary {
    int count; /* of repetitions it is computed from */
    double mean_us;
    double error_us; /* standard error: sigma / sqrt(count), sigma with divisor count */
};

struct stats {
    struct summary cleaned; /* without floor(n * quantile) values from each end */
    struct summary all;
    double min_us, p25_us, median_us, p75_us, max_us;
};

/* times_us is sorted in place. n = 0 gives NaN times and counts of 0. */
struct stats stats_of(double *times_us, int n, double cut_quantile);

/* Limits of one measurement. */
struct limits {
    int min_repetition, max_repetition;
    double standard_error; /* relative */
    double cut_quantile;
    double time_s; /* maximum duration; 0: no limit; otherwise min_repetition and standard_error
                    * are ignored */
    double tick_s; /* the clock's resolution: the repetitions together must last tick / error */
};

/* The repetitions so far. */
struct effort {
    int n;           /* valid repetitions */
    double sum_s;    /* their total time */
    double passed_s; /* since the measurement began, with all that happened between them */
};

/* Call after at least one batch. Values without an error are never accurate: a single value, or
 * values that differ and have a mean of zero or less. */
enum stop stop_decide(const struct limits *l, const struct stats *s, const struct effort *effort);

/* The number of repetitions before the next decision, at least 1: first min_repetition, then as
 * many as the error so far makes probable, at most doubling the number, never beyond max_repetition
 * nor (by the mean so far) the time limit. */
int batch_size(const struct limits *l, const struct stats *s, const struct effort *effort);

#endif
