/* A part of an operation that is also measured alone, such as the synchronisation of one-sided
 * accesses: rows carry its time, and what remains without it. */
#ifndef SKAMPI_PATTERNS_PART_H
#define SKAMPI_PATTERNS_PART_H

#include "context/run.h"
#include "stats/series.h"

/* The values that rows carry: the part's time, and the rest of the operation's. */
enum { PART_ALONE, PART_REST, PART_LIMITED };

/* What is known about the part. */
struct part {
    struct setting of; /* when it was measured; processes 0: never */
    double us, error_us;
};

/* Does its time hold for this setting? It depends on neither length nor chunks. */
bool part_is_known(const struct part *p, const struct setting *s);

void part_keep(struct part *p, const struct setting *s, struct series *measured);

/* Sets the values of a row from the series of the whole operation. A rest that is not above the
 * clock's tick is none. */
void part_conclude(const struct part *p, struct run *r, struct series *whole);

#endif
