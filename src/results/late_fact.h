/* The fact that is known only after the results are complete: how long MPI_Finalize took. Its line
 * is first written with an unknown value, which is replaced in place. So the file is complete at
 * any moment, and its length does not change. Rank 0 only. */
#pragma once

#include "base/text.h"

struct late_fact {
    int fd; /* of the result file; -1: none */
    long long at;
};

#define LATE_FACT_NONE                                                                             \
    (struct late_fact)                                                                             \
    {                                                                                              \
        .fd = -1                                                                                   \
    }

/* Adds the line with an unknown value to the trailer. */
void late_fact_add(struct text *trailer);

/* Finds the line near the end of a finished result file, and keeps the file open, also if it is
 * renamed. Without such a line there is nothing to write. */
void late_fact_find(struct late_fact *f, const char *path);

/* Replaces the value, unless another program changed the line, and closes the file. A negative one
 * stays unknown. 0 or -1. */
int late_fact_write(struct late_fact *f, double finalize_us);
