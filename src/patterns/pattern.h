/* The patterns (manual 3.1.2 to 3.1.7): how the processes of one measurement are coordinated and
 * timed. Each is one function in a file of its own, listed in pattern.c. */
#ifndef SKAMPI_PATTERNS_PATTERN_H
#define SKAMPI_PATTERNS_PATTERN_H

#include "stats/series.h"
#include "patterns/op.h"

/* Measures one argument. Called by all processes of r->comm (ping-pong: server and client only).
 * Only rank 0's series is used: the decision how many repetitions follow is rank 0's. -1, on all
 * of them: nothing was measured. */
typedef int measure_function(struct run *r, const struct op *op, struct series *s, struct err *e);

measure_function p2p_measure, mw_measure, col_measure, syncol_measure, simple_measure,
    internal_measure;

/* Takes the first buffers and runs init, unless rc says that this process could not get ready.
 * Collective over the processes that take part; 0 or -1 on all of them. Where rc was 0, end follows
 * in any case: it runs free. */
int pattern_begin(struct run *r, const struct op *op, int rc, struct err *e);
void pattern_end(struct run *r, const struct op *op);

/* The processes that take part tell each other how they fare; 0 or -1 on all of them. */
int pattern_agree(struct run *r, int rc, struct err *e);

/* Runs init, the pattern of the suite's type, and free, unless rc says that this process could not
 * get ready. Collective over the processes that take part; 0 or -1 on all of them. */
int pattern_measure(struct run *r, const struct op *op, struct series *s, int rc, struct err *e);

/* Does this process take part in the measuring? Where not, it waits for the next argument. */
bool pattern_takes_part(const struct run *r);

/* For the patterns: rank 0 says how many repetitions come next, at most so many (0: the series has
 * ended), to all of r->control. */
int pattern_next_batch(struct run *r, struct series *s, int most);

/* Rank 0 calls it with the time of each argument's first, uncounted call: that of the first
 * argument is the suite's, with connections and memory that the library takes only when they are
 * needed. */
void pattern_first_call(struct run *r, double seconds);

/* The hooks of a ping-pong or collective operation, as the suite wants its messages sent. */
const struct op_hooks *pattern_hooks(const struct run *r, const struct op *op);

/* Gives back what a repetition made. */
void pattern_finalize(struct run *r, const struct op *op);

/* One repetition's call, on whichever side this process is. */
void pattern_call(struct run *r, const struct op *op);

#endif
