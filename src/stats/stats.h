/* Statistics of the single measurements of one argument, and the decision when they are exact
 * enough (paper 4.1, manual 2.1.6). No MPI; the clock's tick is handed in. */
#ifndef SKAMPI_STATS_STATS_H
#define SKAMPI_STATS_STATS_H

enum stop {
    STOP_NONE, /* go on */
    STOP_ACCURACY,
    STOP_REPETITIONS,
    STOP_TIME,
    STOP_UNSYNCHRONISED, /* no valid repetition within the bounded number of tries */
    STOP_COUNT
};
const char *stop_name(enum stop stop); /* "accuracy", ... as in the output */

struct summary {
    int count; /* of the single measurements it is made from */
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
    double time_s; /* that may pass; 0: no limit; otherwise min_repetition and standard_error
                    * have no say */
    double tick_s; /* the clock's resolution: all repetitions together last tick / error */
};

/* What it took so far. */
struct effort {
    int n;           /* valid repetitions */
    double sum_s;    /* that they lasted */
    double passed_s; /* since the measurement began, with all that is between them */
};

/* After at least one batch. What has no error to judge is never accurate: a single value, or a mean
 * of zero or less whose values differ. */
enum stop stop_decide(const struct limits *l, const struct stats *s, const struct effort *effort);

/* How many repetitions until the decision is asked again, at least 1: first min_repetition, then
 * as many as the error so far makes probable, at most as many again as there are, never beyond
 * max_repetition nor (by the mean so far) the time limit. */
int batch_size(const struct limits *l, const struct stats *s, const struct effort *effort);

#endif
