/* Whether repetitions that do not count still become faster (key warmup). They are made in windows.
 * No MPI. */
#pragma once

#include <stdbool.h>

enum { WARMUP_WINDOW = 8, WARMUP_MOST = 128 }; /* repetitions: of a window, and in all */

struct warmup {
    int n;            /* repetitions so far */
    double before_us; /* the median of the last window; NAN before the first */
};

/* Takes the times of a window, which it sorts. True if another one is needed: this is the first, or
 * its median is below that of the one before by more than 5 %. False after WARMUP_MOST, or if some
 * of a window's repetitions are missing, because time ran out or none was valid. */
bool warmup_goes_on(struct warmup *w, double *times_us, int n);
