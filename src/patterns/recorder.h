/* Further data of a series' repetitions besides their times: phases of packing, pairs and groups
 * that differ, roots, turns. Every pattern drives the recorders by the same calls; everything
 * except reports by an operation itself happens outside the timed intervals. */
#pragma once

#include "patterns/pattern.h"

/* A batch that is over. A repetition has one or several starts. */
struct repetitions {
    int n, starts;        /* starts of the batch, and of a repetition */
    const double *own_us; /* of this process, per start */
    /* On all processes; rank 0, and where they are shared (common_start.h). */
    const double *us;   /* the repetition's */
    const double *late; /* not 0: too late at this start */
};

/* Is the repetition that begins with start i valid? Where late is known. */
bool repetitions_valid(const struct repetitions *b, int i);

/* Every hook may be NULL. of: the state of the series. */
struct recorder {
    size_t bytes; /* of the state: zeros, except for what follows */
    int values;   /* it begins with this number of struct values, one value per valid repetition in
                     each, which are made, cut and released with it */
    int (*init)(void *of, struct measurement *m, const struct op *op, struct err *e);
    void (*before)(struct measurement *m, int i, void *of); /* start i of a batch */
    void (*hold)(int i, void *of);                          /* after the call of start i */
    /* After a batch, on all processes that take part. */
    void (*batch)(struct measurement *m, const struct repetitions *b, void *of);
    /* After the series, on all processes that take part: sets m->extra. */
    void (*conclude)(struct measurement *m, double overhead_us, void *of);
    void (*release)(void *of); /* accepts what init left */
    /* The time of reading the clock in a repetition, more often than without this recorder. */
    double (*readings_s)(const struct measurement *m, const void *of);
};

/* For a pattern's row: a recorder with this state. */
#define RECORDER(state_, values_, ...)                                                             \
    .recorder = &(const struct recorder)                                                           \
    {                                                                                              \
        .bytes = sizeof(state_), .values = values_, __VA_ARGS__                                    \
    }

/* Begins that of a series; on this process. Always release. */
int recorder_init(struct measurement *m, const struct recorder *row, const struct op *op,
                  struct err *e);
void recorder_release(struct measurement *m);

void recorder_before(struct measurement *m, int i);
void recorder_hold(struct measurement *m, int i);
void recorder_batch(struct measurement *m, const struct repetitions *b);
void recorder_keep(struct measurement *m, int first, int kept); /* as values_keep */
void recorder_conclude(struct measurement *m, double overhead_us);
double recorder_readings_s(const struct measurement *m);

/* Takes one valid repetition, on each process, for patterns without batches. */
void recorder_take(struct measurement *m, struct series *s, double seconds);

/* How values are cleaned, like the suite's times; and the mean of those of the repetitions. */
struct summing recorded_how(const struct measurement *m);
struct extra_value recorded_mean(const struct measurement *m, const struct values *v);

/* All parts in one repetition. */
struct parts {
    double sum_us, fastest_us;
    struct {
        double us;
        int number;
    } slowest;
};

/* Collective: one process speaks for each part, with its time and its number. Rank 0 gets them. */
struct parts parts_reduce(const struct measurement *m, bool speaks, double us, int number);
