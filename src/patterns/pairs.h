/* Pairs of processes, for the patterns that measure them at once: pairs and matrix. */
#pragma once

#include "patterns/pattern.h"

/* The partner in the first matching that is measured; is this the lower rank, which speaks? */
int pairs_peer(const struct measurement *m);
bool pairs_serves(const struct measurement *m);

/* Do both sides make the same calls? Then the later one determines a pair's time. */
bool pairs_both(const struct op *op);

/* The time of this process's pair, on its lower rank; both processes of a pair call it. */
double pairs_time(const struct measurement *m, bool both, double own_us, int partner);
