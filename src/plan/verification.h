/* Which arguments of a suite are verified, and in which order; rank 0 only. No MPI. */
#pragma once

#include "base/err.h"

struct verification {
    long *arguments; /* owned; in this order. The first ones afterwards are those that were */
    size_t count, tried, done;
    double
        until_s; /* by the machine's clock; the first argument is always verified without byte_s */
    double began_s, byte_s; /* the last argument; the longest time for a byte so far */
};

/* Takes these, the ends first, then each half of the list before the halves of a half: all orders
 * of magnitude soon have one. */
void verification_init(struct verification *v, const long *sorted, size_t n);
void verification_release(struct verification *v);

/* The next argument for which there is time; false: none is left. The one before it is done. */
bool verification_next(struct verification *v, double now_s, long *argument);
