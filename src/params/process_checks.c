#include "params/params.h"

#include "model/application_suite.h"
#include "model/argument_range.h"
#include "model/memory_check.h"
#include "model/topology_rules.h"
#include "params/checks.h"
#include "params/grouped.h"

/* Warns of suites that end before their End_Argument, grouped by reason. */
static void warn_of_cuts(const struct params *p, int processes, struct complaints *c)
{
    struct grouped cuts[RANGE_CUTS] = { 0 };
    for (size_t i = 0; i < p->suite_count; i++) {
        const struct suite *s = &p->suites[i];
        enum range_cut cut = suite_range_cut(p, s, processes);
        struct text words = { 0 };
        if (cut == RANGE_WHOLE)
            continue;
        suite_range_explain(p, s, processes, &words);
        grouped_add(&cuts[cut], s, s->at[FIELD_END], &words);
        text_release(&words);
    }
    for (int cut = 0; cut < RANGE_CUTS; cut++)
        grouped_warn(&cuts[cut], c);
}

static void check_groups(const struct suite *s, int processes, struct complaints *c)
{
    int groups = s->options.groups;
    if ((type_options(s->type) & OPTION_BIT(OPTION_GROUPS)) == 0 || groups == 1)
        return;
    if (processes % groups != 0)
        complaints_add(c, s->at[FIELD_PARAMETERS],
                       "%d processes cannot be divided into %d groups of equal size", processes,
                       groups);
    else if (processes / groups < 2)
        complaints_add(c, s->at[FIELD_PARAMETERS],
                       "%d groups of %d processes have one process each; a group needs two", groups,
                       processes);
}

static void check_division(const struct suite *s, int processes, struct complaints *c)
{
    long nearest, n = application_suite_indivisible(s, processes, &nearest);
    if (n != 0)
        complaints_add(c, s->at[FIELD_TYPE],
                       "N = %ld is not a multiple of the %d processes; the nearest is case=%ld", n,
                       processes, nearest);
}

int params_check_processes(const struct params *p, int processes, struct complaints *c)
{
    size_t errors = c->errors;
    for (size_t i = 0; i < p->suite_count; i++) {
        const struct suite *s = &p->suites[i];
        if (s->options.partner == PARTNER_RANK && s->options.partner_rank >= processes)
            complaints_add(c, s->at[FIELD_PARAMETERS],
                           "partner %d is not among the %d processes of this run",
                           s->options.partner_rank, processes);
        pairing_check_processes(s, processes, c);
        check_groups(s, processes, c);
        root_check_processes(p, s, processes, c);
        topology_check_processes(p, s, processes, c);
        if (s->type->application != NULL)
            check_division(s, processes, c);
        memory_check(p, s, processes, c);
    }
    if (c->errors == errors)
        warn_of_cuts(p, processes, c);
    return c->errors == errors ? 0 : -1;
}
