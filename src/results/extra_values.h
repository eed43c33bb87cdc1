/* Additional values of a row, for patterns and operations that measure more than a time. A block
 * names them in lines "#@EXTRA NAME [UNIT] description"; a row has them after its '#', as
 * NAME=value and, if there is a unit, NAME_error=error. Pure. */
#pragma once

#include "stats/series.h"

enum { MAX_EXTRA = 8, EXTRA_NAME_SIZE = 32 };

struct extra_value {
    double value; /* in its unit */
    double error; /* unused without a unit */
};

/* The factor times a / b, with the errors of both. */
struct extra_value extra_quotient(double factor, struct extra_value a, struct extra_value b);

/* The mean of a value of each repetition, and its error; NaN without any. */
struct extra_value extra_mean(const struct values *v, struct summing how);

/* The names of a block's additional values. */
struct extra_names {
    struct {
        char name[EXTRA_NAME_SIZE];
        char unit; /* its first letter; 0: none */
    } list[MAX_EXTRA];
    size_t count;
};

/* Adds a line for each; x ends with a NULL name. */
void extra_add_notes(struct text *out, const struct extra_info *x);

/* Reads these lines from the notes of a block. Skips other lines, and names beyond MAX_EXTRA. */
void extra_read_notes(struct extra_names *n, const char *notes);

/* Adds one value to a row; unit as in extra_names. A share (%) whose error is above SHARE_KNOWN
 * points is unknown. */
#define SHARE_KNOWN 10.0
void extra_add_value(struct text *out, const char *name, char unit, const struct extra_value *v);

/* The row's value of the i-th name; NaN if the row lacks it. text is the row from its '#'. */
struct extra_value extra_read_value(const struct extra_names *n, size_t i, const char *text);

/* How parts of the processes (pairs, groups) that work at the same time differ: of each valid
 * repetition, on rank 0, the mean and the fastest part, and which one was slowest. For recorders,
 * whose state begins with it (pattern.h). No MPI. */
struct group_times {
    struct values mean_us, fastest_us;
    struct values slowest; /* identifies the slowest part */
};
enum { GROUP_TIMES = 3 }; /* values */

void group_times_add(struct group_times *g, double mean_us, double fastest_us, double slowest);

/* Without the overhead: the mean over the parts, and the fastest. */
void group_times_conclude(const struct group_times *g, struct summing how, double overhead_us,
                          struct extra_value extra[2]);

/* The part that was slowest most often, the first of several; sorts the repetitions. */
double group_times_slowest(struct group_times *g);
