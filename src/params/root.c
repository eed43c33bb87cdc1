#include "params/checks.h"

#include "model/topology_rules.h"

static void check_pattern(const struct suite *s, struct complaints *c)
{
    const struct suite_options *x = &s->options;
    if ((s->type->pattern->traits & PATTERN_GLOBAL_CLOCK) == 0)
        complaints_add(c, s->at[FIELD_PARAMETERS],
                       "'root=%s' needs a synchronised operation; write 'Type = syncol_%s'",
                       x->root == ROOT_EACH ? "each" : "rotate", s->type->name);
    else if (x->root == ROOT_EACH && x->groups > 1)
        complaints_add(c, s->at[FIELD_PARAMETERS],
                       "'root=each' cannot be combined with groups; use 'root=rotate'");
}

void root_check(const struct suite *s, int smallest_run, struct complaints *c)
{
    const struct suite_options *x = &s->options;
    if (x->root != ROOT_RANK)
        check_pattern(s, c);
    else if (s->variation == VARY_NODES && x->root_rank >= smallest_run)
        complaints_add(c, s->at[FIELD_PARAMETERS],
                       "root %ld is not among the %d processes of the first row; use "
                       "'Start_Argument = %ld' or a lower root",
                       x->root_rank, smallest_run, x->root_rank + 1);
}

void root_check_processes(const struct params *p, const struct suite *s, int processes,
                          struct complaints *c)
{
    int groups = s->options.groups > 1 ? s->options.groups : 1;
    int those = topology_processes(p, s, processes) / groups;
    if (s->options.root == ROOT_RANK && s->options.root_rank > 0 && s->options.root_rank >= those)
        complaints_add(c, s->at[FIELD_PARAMETERS], "root %ld is not among the %d processes of %s",
                       s->options.root_rank, those,
                       groups > 1          ? "a group"
                       : those < processes ? "the virtual topology"
                                           : "this run");
}
