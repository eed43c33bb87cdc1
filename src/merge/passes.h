/* Passes: all arguments of a suite in turn, several times. Each argument is visited once in a pass,
 * and its value comes from all visits. So what disturbs the machine for some milliseconds is one
 * visit's, and a drift becomes scatter between the visits, not a step between arguments. The first
 * pass follows the plan; the others measure the same arguments. How many visits an argument has is
 * fixed before its first repetition that counts (stats/visit_length.h). Rank 0 only. */
#pragma once

#include "results/block.h"

struct passes {
    const struct suite *suite; /* borrowed */
    int wanted;
    int done;          /* 0: this is the first one; only its rows are results for the plan */
    size_t rows;       /* of the first pass */
    size_t from;       /* the first row of this pass */
    size_t at;         /* the row of the first pass whose argument is next */
    enum stop lacking; /* why an argument has fewer visits than wanted, if one has */
};

struct passes passes_start(const struct suite *s, int processes);

/* The next argument of this pass; false: it is complete. The block has the rows so far. */
bool passes_next(struct passes *p, struct plan *plan, const struct block *b, long *argument);

/* The shortest visit of the next argument: one call, and the least time before it. 0: unknown. */
double passes_next_s(const struct passes *p, struct plan *plan, const struct block *b);

/* An argument's row of the first pass, with the number of visits; NULL: this is the first pass. */
const struct row *passes_row(const struct passes *p, const struct block *b, long argument);

/* Call after a complete pass. Returns whether another begins; out gets the rows of the last one. */
bool passes_go_on(struct passes *p, struct block *b, struct text *out);

/* Continues after the passes of an earlier launch, whose texts are lines; NULL: there are none. If
 * they do not fit the plan, or are damaged, the block remains empty and the plan is not usable any
 * more: false. */
bool passes_resume(struct passes *p, struct plan *plan, struct block *b, const char *past);

/* Makes one row of all rows of each argument, in ascending order, with the suite's estimate. */
void passes_conclude(const struct passes *p, struct block *b);
