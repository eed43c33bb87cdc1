/* Do derived datatypes carry the data? Outside of what is timed: numbered bytes are sent as the
 * suite sends them, packed on both sides, and compared. */
#ifndef SKAMPI_PATTERNS_VERIFY_H
#define SKAMPI_PATTERNS_VERIFY_H

#include "machine/run.h"

/* Does the suite send messages of derived types? */
bool verify_is_needed(const struct params *p, const struct suite *s);

/* Collective over the run's processes, after run_prepare: rank 0 sends a message to partner. -1, on
 * all of them: it did not arrive as it was sent; e says what differs. The message buffers are as
 * they were before. */
int verify_message(struct run *r, int partner, struct err *e);

#endif
