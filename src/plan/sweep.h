/* The arguments that a scale gives by itself, before any refinement (manual 2.1.4 Scale).
 *
 * Linear: first + k * Stepwidth; dynamic scales measure last, too, as the refinement has to cover
 * the range; Fixed_linear only where the steps reach it. Logarithmic: first, the powers of
 * Stepwidth above it, last. All are brought down to a multiple of the quantum, but not to 0, and
 * those that become equal come once. On dynamic scales no more than max_steps are left: first,
 * last, and some between at even distances. */
#ifndef SKAMPI_PLAN_SWEEP_H
#define SKAMPI_PLAN_SWEEP_H

#include "base/err.h"
#include "plan/plan.h"

#include <stdbool.h>
#include <stddef.h>

struct sweep {
    long *arguments; /* owned; ascending */
    size_t count;
    unsigned long long whole; /* what count would be without max_steps */
};

/* -1 without memory, for a Stepwidth that leads nowhere, and for more than PLAN_MOST arguments. */
int sweep_init(struct sweep *s, const struct plan_spec *spec, struct err *e);
/* Would sweep_init fail for the spec? Builds nothing where the answer is clear. */
int sweep_check(const struct plan_spec *spec, struct err *e);

void sweep_release(struct sweep *s);

bool sweep_contains(const struct sweep *s, long argument);

#endif
