/* One suite of measurements: which arguments, among which processes, and the results. */
#ifndef SKAMPI_PATTERNS_SUITE_H
#define SKAMPI_PATTERNS_SUITE_H

#include "patterns/op.h"
#include "results/block.h"
#include "results/store.h"

/* What is measured, and with what; all borrowed. */
struct suite_job {
    struct machine *machine;
    const struct params *params;
    const struct suite *suite;
    const struct op *op;
    struct store *store;    /* rank 0; NULL: neither single times nor passes are kept */
    const char *past;       /* rank 0: the passes of an earlier launch, or NULL */
    const struct op *dummy; /* of the pattern, for @ABSOLUTE; NULL: none */
    void (*progress)(void *context, size_t done); /* rank 0, before each argument; may be NULL */
    void *context;
};

/* Collective over the machine's world. Fills the block on rank 0; release it in any case. -1: no
 * rank could measure the suite; the run can continue with the next one. */
int suite_measure(const struct suite_job *job, struct block *b, struct err *e);

#endif
