/* Do derived datatypes and persistent requests carry the data? Outside of the timed part, the
 * suite's operation moves numbered bytes; they are packed as sent and as received, and compared. */
#pragma once

#include "context/run.h"

struct op;

/* Does the suite send messages of derived types, or by persistent requests? */
bool verify_is_needed(const struct params *p, const struct suite *s);

/* Collective over the processes that take part, after run_prepare: one repetition of the operation.
 * If the operation does not specify what arrives where, a message from rank 0 to another process is
 * sent instead. -1, on all of them: a message did not arrive as it was sent; e says which one, and
 * how it differs. The message buffers are unchanged afterwards. */
int verify_data(struct run *r, const struct op *op, struct err *e);
