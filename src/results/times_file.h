/* The file beside the results with the times of all repetitions (histogram, raw), on rank 0 only.
 * It is "RESULTS.times-xxxxxxxx", and a block of the results names it with the place, length and
 * hash of its own times. So neither renaming the results nor merging them touches it, and whatever
 * a killed run left in it counts for nothing: a block is on the disk before the results name it.
 * Its blocks are like those of the results, with rows
 *
 *     argument process count min p1 p5 p10 p25 p50 p75 p90 p95 p99 p99.9 max # late=0 mean=2
 * bins=...
 *
 * process is a rank of the suite, or -1 for the repetitions' times in the result file. */
#pragma once

#include "base/text.h"

struct suite;

struct times_file {
    const char *results; /* path of the result file; borrowed; NULL: nothing is written */
    struct text path;
    int fd;
    long long end;       /* of the last complete block */
    long long len;       /* bytes of the current block; 0: none was begun */
    uint64_t hash;       /* of the current block */
    struct err wrong;    /* the first error of the current block */
    struct text changed; /* a message: how another program changed the file */
};

/* Creates a file with a new name. */
int times_file_create(struct times_file *f, const char *results, struct err *e);

/* Adds to the current block of a suite; begins it. An error is reported by times_file_end. */
void times_file_add(struct times_file *f, const struct suite *s, const char *bytes, size_t len);

/* Completes the block, if there is one, and syncs it. notes: get the fact TIMES, or nothing. */
int times_file_end(struct times_file *f, struct text *notes, struct err *e);

/* Drops the current block. */
void times_file_drop(struct times_file *f);

void times_file_release(struct times_file *f);

/* --- its rows; pure --- */

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

/* Adds a row. */
void times_add_row(struct text *out, const struct times_row *row);
