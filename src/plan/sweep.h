/* The arguments that a scale gives by itself, before any refinement (manual 2.1.4 Scale).
 *
 * Linear: first + k * Stepwidth. Dynamic scales also measure last, because the refinement has to
 * cover the range; Fixed_linear only if the steps reach it. Logarithmic: first, the powers of
 * Stepwidth above it, last. All are rounded down to a multiple of the quantum, but not to 0; equal
 * ones are measured once. */
#pragma once

#include "plan/plan.h"

struct sweep {
    long *arguments; /* owned; ascending */
    size_t count;
};

/* -1 for a Stepwidth that leads nowhere, and for more than MAX_PLAN arguments: the sweep is empty.
 */
int sweep_init(struct sweep *s, const struct plan_spec *spec, struct err *e);

/* Fills an empty sweep with these arguments in order, equal ones once. */
void sweep_list(struct sweep *s, const long *arguments, size_t count);

void sweep_release(struct sweep *s);

bool sweep_contains(const struct sweep *s, long argument);
