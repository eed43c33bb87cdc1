/* The text of the file beside the results that has the times of all repetitions (histogram, raw):
 * blocks like those of the result file, whose rows are
 *
 *     argument process count min p1 p5 p10 p25 p50 p75 p90 p95 p99 p99.9 max # late=0 mean=2
 * bins=...
 *
 * process is a rank of the suite, or -1 for the repetitions' times in the result file. Pure. */
#pragma once

#include "base/err.h"

struct suite;
struct text;

enum { TIMES_OF_ALL = -1, MAX_DISTURBED = 128, BINS_PER_OCTAVE = 32 };

/* Indices of repetitions. */
struct disturbed {
    int n;
    int index[MAX_DISTURBED];
};

/* The repetitions whose time exceeds the median by more than three robust standard deviations
 * (1.4826 times the median distance from the median, at least the clock's tick); if they are more
 * than fit, evenly spaced ones of them. sorted is scratch for n values. */
struct disturbed disturbed_find(const double *us, double *sorted, int n, double tick_us);

/* One process's times of one argument, in the order measured. */
struct times_row {
    long argument;
    int process;
    const double *us;
    double *sorted; /* scratch for n values */
    int n;
    int late; /* repetitions that were dropped because this process started late */
    const struct disturbed *disturbed;
    bool histogram, raw; /* additions to the percentiles */
};

/* Bin b holds the times from 2^(b/32) to below 2^((b+1)/32) microseconds. 0 or less: the lowest. */
int times_bin(double us);

/* For a suite: the most bytes of a row, and of the memory that a process needs to write one. */
long long times_longest(const struct suite *s);
long long times_memory(const struct suite *s, size_t arguments);

/* Adds the beginning of a suite's rows, before its end as in format.h; and a row. */
void times_begin_block(struct text *out, const char *label);
void times_add_row(struct text *out, const struct times_row *row);
