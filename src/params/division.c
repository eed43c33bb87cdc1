#include "params/division.h"

static bool has_groups(const struct suite *s)
{
    return (type_options(s->type) & OPTION_BIT(OPTION_GROUPS)) != 0;
}

void division_check(const struct suite *s, struct complaints *c)
{
    int groups = s->options.groups;
    if (!has_groups(s))
        return;
    if (s->variation == VARY_GROUPS && groups == 1)
        complaints_add(c, s->at[FIELD_VARIATION],
                       "'Variation = Groups' needs the greatest number of groups; write "
                       "'Parameters = \"groups=N\"'");
    if (groups > 1 && s->variation == VARY_NODES)
        complaints_add(c, s->at[FIELD_PARAMETERS],
                       "groups cannot be combined with 'Variation = Nodes'; vary over Groups");
    if (groups > 1 && s->topology != 0)
        complaints_add(c, s->at[FIELD_PARAMETERS],
                       "groups cannot be combined with a virtual topology");
}

void division_check_processes(const struct suite *s, int processes, struct complaints *c)
{
    int groups = s->options.groups;
    if (!has_groups(s) || groups == 1)
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
