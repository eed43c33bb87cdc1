/* Pairs of processes, for the patterns that measure them at once: pairs, and as other benchmarks.
 */
#pragma once

#include "patterns/pattern.h"

/* The partner in the first matching that is measured; is this the lower rank, which speaks? */
int pairs_peer(const struct measurement *m);
bool pairs_serves(const struct measurement *m);
