/* Bytes and events of a repetition, by the formulas of rates.def. Pure. */
#pragma once

#include "model/suite.h"

/* Bytes and counted events of one repetition; NaN without a formula, or if the processes' topology
 * or chunks would have to be known. */
struct transfers {
    double bytes, events;
};
struct transfers suite_transfers(const struct suite *s, const struct setting *at);
