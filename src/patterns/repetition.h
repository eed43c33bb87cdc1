/* The data of a repetition: which buffers it uses, and what in them is changed before it. */
#ifndef SKAMPI_PATTERNS_REPETITION_H
#define SKAMPI_PATTERNS_REPETITION_H

#include "patterns/op.h"

/* Are data changed before each repetition? All processes of the run get the same answer. */
bool repetition_rewrites(const struct run *r);

/* After the first buffers were taken and before the operation's init: finds out what this process
 * sends. */
int repetition_init(struct run *r, const struct op *op, struct err *e);

/* Takes the buffers of the next repetition's first call and changes the data that its calls will
 * send (fresh), or those that were sent by the last one (cold). Never in a timed interval. Between
 * two calls of a repetition, run_next_buffers follows. */
void repetition_next(struct run *r, const struct op *op, int calls);

/* For rows of operations: what this process sends; only rank 0 sends data of its own; other
 * processes forward them. */
void rewrite_all(struct run *r);
void rewrite_as_root(struct run *r);

/* The same if only the processes that serve send. */
void rewrite_as_server(struct run *r);

#endif
