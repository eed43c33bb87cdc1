/* Arguments that a run was asked to measure, and that have no row. Rank 0 only. */
#pragma once

#include "results/block.h"

struct missing {
    size_t wanted, measured; /* rows of the suites so far: all, and those that have a value */
    bool late;               /* a limit of time left some out */
    struct text names;       /* "alltoall 512K, 1M; barrier 16": arguments without a row */
    struct text skipped;     /* "alltoall, bcast": suites of words that cannot be measured */
};

/* Adds a suite that is skipped. */
void missing_skip(struct missing *m, const struct suite *s);

/* Adds a suite that is over. processes: of the run. */
void missing_add(struct missing *m, const struct block *b, int processes);

/* Adds "34 of 36 rows; not reached: alltoall 512K, 1M; skipped: bcast", or just "36 rows". */
void missing_add_text(const struct missing *m, struct text *out);
