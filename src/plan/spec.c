#include "plan/spec.h"

#include "model/algorithms.h"
#include "model/argument_range.h"

#include <stdlib.h>

static struct plan_spec without_variation(const struct suite *s, int processes)
{
    bool internal = (s->type->pattern->traits & PATTERN_PER_PROCESS) != 0;
    return (struct plan_spec){ .scale = SCALE_FIXED_LINEAR,
                               .first = s->type->traits & TYPE_OF_OTHERS ? 1 : 0,
                               .last = internal ? processes - 1 : 0,
                               .quantum = 1,
                               .stepwidth = 1.0,
                               .max_steps = processes,
                               .error = s->standard_error };
}

struct plan_spec plan_spec_of(const struct params *p, const struct suite *s, int processes)
{
    if (s->variation == VARY_NONE)
        return without_variation(s, processes);
    struct range range = suite_range(p, s, processes);
    return (struct plan_spec){ .scale = suite_scale(s),
                               .first = range.first,
                               .last = range.last,
                               .quantum = range.quantum,
                               .stepwidth = suite_stepwidth(s),
                               .max_steps = s->max_steps,
                               .min_distance = s->min_distance,
                               .max_distance = s->max_distance,
                               .error = s->standard_error };
}

static struct plan *plan_of_algorithms(const struct params *p, const struct suite *s, struct err *e)
{
    long *arguments = malloc((s->algorithms.count + 1) * sizeof(*arguments));
    if (arguments == NULL) {
        err_no_memory(e, s->algorithms.count * sizeof(*arguments));
        return NULL;
    }
    struct plan *plan = plan_new_listed(arguments, algorithm_arguments(p, s, arguments), e);
    free(arguments);
    return plan;
}

struct plan *plan_of_suite(const struct params *p, const struct suite *s, int processes,
                           struct err *e)
{
    struct plan_spec spec = plan_spec_of(p, s, processes);
    long cases[APPLICATION_CASES];
    struct application_missing missing;
    if (s->variation == VARY_ALGORITHM)
        return plan_of_algorithms(p, s, e);
    if (s->type->application == NULL)
        return plan_new(&spec, e);
    int count = application_suite_arguments(p, s, processes, cases, &missing);
    return plan_new_listed(cases, (size_t)count, e);
}
