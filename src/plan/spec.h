/* From a suite of the parameter file to the plan of its arguments. */
#ifndef SKAMPI_PLAN_SPEC_H
#define SKAMPI_PLAN_SPEC_H

#include "model/parameters.h"
#include "plan/plan.h"

/* For a number of processes. Simple operations have the one argument 0, internal measurements the
 * process numbers. */
struct plan_spec plan_spec_of(const struct params *p, const struct suite *s, int processes);

/* The plan of these arguments, or of the cases of an application. NULL where plan_new returns it.
 */
struct plan *plan_of_suite(const struct params *p, const struct suite *s, int processes,
                           struct err *e);

#endif
