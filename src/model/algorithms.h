/* The algorithms by which an MPI library can do a collective operation. The library names them
 * (context/algorithms.h); here is which of them fit. No MPI. */
#pragma once

#include "base/err.h"

struct params;
struct suite;

/* Does the suite choose an algorithm, or vary it? */
bool suite_chooses(const struct suite *s);

/* Why the library would run another algorithm instead with some argument of the suite; NULL if it
 * would not, or reports it as an error. */
const char *algorithm_misfit(const struct params *p, const struct suite *s, int processes,
                             const char *name);

/* The arguments of Variation = Algorithm: numbers of those that fit, in order. Returns how many. */
size_t algorithm_arguments(const struct params *p, const struct suite *s, long *arguments);
