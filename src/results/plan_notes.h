/* What a suite on a dynamic scale measured of its sweep, and how wrong straight lines between its
 * points may be: the facts SWEEP and INTERPOLATION of its block. Pure. */
#pragma once

#include "plan/plan.h"

void plan_add_notes(struct text *out, const struct plan_outcome *o);
