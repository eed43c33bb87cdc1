/* The repetitions of one argument, collected on the root, and how many more are needed. Memory for
 * all of them is allocated beforehand: nothing is allocated between repetitions. */
#pragma once

#include "stats/shape.h"
#include "stats/stop.h"

enum { MAX_BATCH = 1000 }; /* repetitions, or starts, of a batch */

/* The first repetitions of a visit touch its place in memory: they do not count, but are among the
 * values of each. They are two, and as many again, up to 16, while the shortest becomes shorter. */
enum { TOUCHES_LEAST = 2, TOUCHES_MOST = 16 };

/* One value of each valid repetition, in order. Memory for all is allocated beforehand. */
struct values {
    double *list;   /* owned; NULL: not wanted */
    double *sorted; /* owned; scratch for as many */
    int n, most;
};

int values_init(struct values *v, int most, struct err *e);
void values_release(struct values *v);

/* Drops the first ones, and all beyond those kept. */
void values_keep(struct values *v, int first, int kept);

/* Values beyond the allocated number are dropped, as in the series. */
void values_add(struct values *v, double value);

/* NaN if the repetition does not exist. */
double values_get(const struct values *v, int repetition);

struct series {
    struct limits limits;
    double *times_us; /* owned; valid ones, in the order measured */
    double *sorted;   /* owned; scratch for the decision */
    int n;
    int touched, touch;          /* repetitions before those that count: so far, and wanted */
    int added;                   /* those of them that have values */
    double touched_s;            /* their total time */
    double window_s, shortest_s; /* the shortest of their window, and of all before it */
    double tried_s;    /* the time of the last repetition that does not count; 0: unknown */
    int warmup;        /* repetitions before it, with the key of this name */
    int invalid;       /* repetitions that were dropped */
    double sum_s;      /* of the valid ones */
    int sure_n;        /* number of first repetitions that no look at the clock can drop */
    double sure_sum_s; /* total time of these */
    double started_s;  /* by the clock, when the visit or the first batch began; NaN before */
    double ready_s;    /* when the first batch that counts was requested */
    /* The overhead of an empty measurement, subtracted from each repetition (@ABSOLUTE); NAN if it
     * had no valid repetition, so that this one cannot have any. */
    double overhead_us, overhead_error_us;
    enum stop stop;    /* STOP_NONE until decided */
    double residual_s; /* synchronised: the maximum error of the clocks */
    double looking;    /* share of the time spent on checking the clocks */
    /* On each process, if wanted: its own times (us), and repetitions for which it was late. */
    struct values own;
    int own_late;
};

int series_init(struct series *s, const struct limits *limits, struct err *e);
void series_release(struct series *s);

/* The number of repetitions to make next, at now_s by the clock; 0: the end; stop says why. */
int series_next(struct series *s, double now_s);

/* Adds one repetition with its time; adds one interval with a number of calls, as the time per
 * call. A time below half of the overhead by more than a tick, or below zero, is invalid: it is
 * counted as such. Returns whether the time is valid. */
bool series_add(struct series *s, double seconds);
bool series_add_calls(struct series *s, double seconds, int calls);

/* Adds a repetition that has no value: it may touch the place. */
void series_touch(struct series *s, double seconds);

/* Keeps all valid repetitions so far for good; drops all since then, which have to be repeated. */
void series_keep(struct series *s);
void series_drop_since(struct series *s);

/* The number of first ones of n > 0 in windows of eight whose median is above that of the second
 * half by more than 5 %, and of those that follow and are so slow themselves; at most half of all.
 * sorted is scratch for n. */
int warmup_of(const double *us, double *sorted, int n);

/* With the key warmup, after the last batch: drops those that are still slow. */
void series_warm(struct series *s);

struct stats series_stats(struct series *s);

/* For the repetitions in the order measured. */
struct shape series_shape(struct series *s);

/* The index of the repetition whose time is nearest to the reported one (series_stats, cleaned);
 * the first if several are equally near; -1 without repetitions. */
int series_typical(struct series *s);
