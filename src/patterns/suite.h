/* One suite of measurements: which arguments, among which processes, and the results. */
#pragma once

#include "context/resources.h"
#include "plan/verification.h"
#include "results/block.h"
#include "results/store.h"

/* The suite and the resources to measure it; all borrowed. */
struct suite_job {
    struct resources *resources;
    const struct params *params;
    const struct suite *suite;
    const struct op *op;
    double visit_s;         /* one of several visits lasts at least so long */
    struct store *store;    /* rank 0; NULL: neither single times nor passes are kept */
    const char *past;       /* rank 0: the passes of an earlier launch, or NULL */
    bool over;              /* rank 0: the passes of the earlier launch are all of the results */
    const struct op *dummy; /* of the pattern, for @ABSOLUTE; NULL without one */
    /* Each process begins an argument, or has finished it (NULL); the rows are rank 0's; or NULL */
    void (*progress)(void *context, const struct block *rows, const long *argument);
    void *context;
};

/* A suite that is measured in turns, a pass in each; on all processes of the machine's world; all
 * of the following are collective. The job's members are borrowed until the end. */
struct suite_work *suite_begin(const struct suite_job *job);

/* The state after a turn: over, also if the suite cannot be measured; another turn follows; or a
 * signal has ended it (base/interrupt.h), and the suite has no results yet. */
enum suite_goes { SUITE_OVER, SUITE_GOES_ON, SUITE_STOPPED };

/* Measures a pass. -1: no rank could measure the suite; the run can continue with the next one. */
int suite_turn(struct suite_work *w, enum suite_goes *next, struct err *e);

/* Rank 0: when a turn ends the suite with the rows that it has, by the resources' clock; 0: never.
 * more: a first pass goes on in a later turn. */
void suite_end_at(struct suite_work *w, double until_s, bool more);

/* Rank 0: has it arguments that had no visit? NULL: it has not begun. */
bool suite_is_in_first_pass(const struct suite_work *w);

/* Rank 0 alone, without MPI: the suite with only the passes of job->past. The block has the
 * contents of passes and parameters, but no fact that only the processes know. The machine has only
 * a size. NULL: no pass fits the suite. */
struct suite_work *suite_recall(const struct suite_job *job);

/* Verifies the data of the arguments, one repetition each; nothing is measured with the buffers
 * afterwards. -1: those of the last one of them are wrong; rank 0's e says which. */
int suite_verify(const struct suite_job *job, struct verification *v, struct err *e);

/* The time of its turns that are over, on this process; 0 for NULL. */
double suite_spent_s(const struct suite_work *w);

/* Rank 0, after the last turn: the results. */
struct block *suite_block(struct suite_work *w);

/* Releases a suite; accepts NULL. */
void suite_end(struct suite_work *w);
