/* Passes (passes=k): all arguments of a suite in turn, k times, instead of each one until it is
 * done. So a drift of the machine becomes scatter between the passes, not a step between arguments.
 * The first pass follows the plan; the others measure the same arguments. Rank 0 only. */
#ifndef SKAMPI_MERGE_PASSES_H
#define SKAMPI_MERGE_PASSES_H

#include "plan/plan.h"
#include "results/block.h"

struct passes {
    size_t wanted;
    size_t arguments; /* in each; 0: the first pass is not complete */
    size_t recorded;  /* complete ones that the log has */
};

struct passes passes_start(const struct suite *s);

/* The next argument; false if all passes are complete. The block has a row for each argument so
 * far. */
bool passes_next(struct passes *p, struct plan *plan, const struct block *b, long *argument);

/* Do the rows belong to the first pass? Only these are results for the plan. */
bool passes_follow_plan(const struct passes *p);

/* If a pass has been completed that the log lacks, and another one follows: adds its text. Returns
 * whether there is one. */
bool passes_record(struct passes *p, const struct block *b, struct text *out);

/* Continues after the passes of an earlier launch, whose texts are lines; NULL: there are none. If
 * they do not fit the plan, or are damaged, the block remains empty and the plan is not usable any
 * more: 1. 0: done. -1: e is set. */
int passes_resume(struct passes *p, struct plan *plan, struct block *b, const char *past,
                  struct err *e);

/* Makes one row of all rows of each argument, with the estimate that the suite wants. */
int passes_conclude(const struct passes *p, struct block *b, struct err *e);

#endif
