#include "params/checks.h"

#include "model/topology_rules.h"
#include "params/kinds.h"

#include <limits.h>

static const char *const choices[] = { [ROOT_ROTATE] = "rotate", [ROOT_EACH] = "each" };

static int root_parse(const struct value_row *row, const struct value_input *in, void *base)
{
    struct suite_options *x = base;
    long rank;
    x->root_rank = 0;
    for (enum root_choice i = ROOT_ROTATE; i <= ROOT_EACH; i++)
        if (text_same_n(in->source->bytes + in->from, in->to - in->from, choices[i])) {
            x->root = i;
            return 0;
        }
    if (!value_whole(in, &rank) || rank < 0 || rank > INT_MAX)
        return value_reject(row, in);
    x->root = ROOT_RANK;
    x->root_rank = (int)rank;
    return 0;
}

static void root_print(const struct value_row *row, const void *base, struct text *out)
{
    const struct suite_options *x = base;
    (void)row;
    if (x->root == ROOT_RANK)
        text_add(out, "%d", x->root_rank);
    else
        text_add(out, "%s", choices[x->root]);
}

static void root_explain(const struct value_row *row, struct text *out)
{
    (void)row;
    text_add(out, "a rank, rotate or each");
}

const struct value_kind value_root = { .parse = root_parse,
                                       .print = root_print,
                                       .explain = root_explain };

static void check_pattern(const struct suite *s, struct complaints *c)
{
    const struct suite_options *x = &s->options;
    if ((s->type->pattern->traits & PATTERN_GLOBAL_CLOCK) == 0)
        complaints_add(c, s->at[FIELD_PARAMETERS],
                       "'root=%s' needs a synchronised operation; write 'Type = syncol_%s'",
                       choices[x->root], s->type->name);
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
                       "root %d is not among the %d processes of the first row; use "
                       "'Start_Argument = %d' or a lower root",
                       x->root_rank, smallest_run, x->root_rank + 1);
}

void root_check_processes(const struct params *p, const struct suite *s, int processes,
                          struct complaints *c)
{
    int groups = s->options.groups > 1 ? s->options.groups : 1;
    int those = topology_processes(p, s, processes) / groups;
    if (s->options.root == ROOT_RANK && s->options.root_rank > 0 && s->options.root_rank >= those)
        complaints_add(c, s->at[FIELD_PARAMETERS], "root %d is not among the %d processes of %s",
                       s->options.root_rank, those,
                       groups > 1          ? "a group"
                       : those < processes ? "the virtual topology"
                                           : "this run");
}
