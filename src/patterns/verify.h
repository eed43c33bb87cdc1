/* Do derived datatypes carry the data? Outside of what is timed: the suite's operation moves
 * numbered bytes, which are packed as they were sent and as they arrived, and compared. */
#ifndef SKAMPI_PATTERNS_VERIFY_H
#define SKAMPI_PATTERNS_VERIFY_H

#include "patterns/op.h"

/* Does the suite send messages of derived types? */
bool verify_is_needed(const struct params *p, const struct suite *s);

/* Collective over the processes that take part, after run_prepare: one repetition of the operation;
 * of one that does not say what arrives where, a message from rank 0 to another instead. -1, on all
 * of them: a message did not arrive as it was sent; e says which, and what differs. The message
 * buffers are as they were before. */
int verify_data(struct run *r, const struct op *op, struct err *e);

#endif
