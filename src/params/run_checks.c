/* The rules that need the run: its number of processes, and what its MPI library lacks. */

#include "model/argument_range.h"
#include "model/parameters.h"
#include "params/checks.h"

/* The first repetitions of a visit take up to twice as long: of fewer, they are its value. */
enum { VISIT_LEAST = 4, MAX_NAMED = 5 };

/* Groups a warning about several suites: reports the first of them, and the number of others. */
struct grouped {
    size_t at;          /* place in the file, of the first suite */
    struct text first;  /* the warning about it */
    struct text others; /* names of further suites, up to a limit */
    size_t count;       /* of suites, including the first */
};

/* The first call determines place and words of the warning. */
static void grouped_add(struct grouped *g, const struct suite *s, size_t at,
                        const struct text *words)
{
    const char *label = label_of(s);
    g->count++;
    if (g->count == 1) {
        g->at = at;
        text_add(&g->first, "suite '%s': %s", label, text_get(words));
    } else if (g->count <= 1 + MAX_NAMED) {
        text_add(&g->others, "%s%s", g->count == 2 ? "" : ", ", label);
    }
}

/* Warns if a suite was added: "suite 'NAME': WORDS; also 2 other suites: a, b". Releases g. */
static void grouped_warn(struct grouped *g, struct complaints *c)
{
    size_t others = g->count - 1;
    if (g->count == 1)
        complaints_warn(c, g->at, "%s", text_get(&g->first));
    else if (g->count > 1)
        complaints_warn(c, g->at, "%s; also %zu other suite%s: %s%s", text_get(&g->first), others,
                        others == 1 ? "" : "s", text_get(&g->others),
                        others > MAX_NAMED ? ", ..." : "");
    text_release(&g->first);
    text_release(&g->others);
    *g = (struct grouped){ 0 };
}

/* Warns of suites that end before their End_Argument, grouped by reason. */
static void warn_of_cuts(const struct params *p, int processes, struct complaints *c)
{
    struct grouped cuts[RANGE_CUTS] = { 0 };
    for (size_t i = 0; i < p->suite_count; i++) {
        const struct suite *s = &p->suites[i];
        enum range_cut cut = s->skip != NULL ? RANGE_WHOLE : suite_range_cut(p, s, processes);
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

static void warn_of_short_visits(const struct params *p, struct complaints *c)
{
    struct grouped few = { 0 };
    for (size_t i = 0; i < p->suite_count; i++) {
        const struct suite *s = &p->suites[i];
        int passes = s->options.passes, wanted = VISIT_LEAST * passes;
        struct text words = { 0 };
        if (s->skip != NULL || passes < 2 || wanted <= s->max_repetition)
            continue;
        text_add(&words,
                 "passes=%d leaves a visit fewer than %d of %d repetitions, and the first ones are "
                 "slow; write fewer passes, or Max_Repetition = %d",
                 passes, VISIT_LEAST, s->max_repetition, wanted);
        grouped_add(&few, s, s->at[FIELD_PARAMETERS], &words);
        text_release(&words);
    }
    grouped_warn(&few, c);
}

static void check_groups(const struct suite *s, int processes, struct complaints *c)
{
    int groups = s->options.groups;
    if (!type_has_option(s->type, OPTION_GROUPS) || groups == 1)
        return;
    if (processes % groups != 0)
        keys_reject(c, s, "%d processes cannot be divided into %d groups of equal size", processes,
                    groups);
    else if (processes / groups < 2)
        keys_reject(c, s, "%d groups of %d processes have one process each; a group needs two",
                    groups, processes);
}

static void check_root_pattern(const struct suite *s, struct complaints *c)
{
    const struct suite_options *x = &s->options;
    if ((s->type->pattern->traits & PATTERN_GLOBAL_CLOCK) == 0)
        keys_reject(c, s, "'root=%s' needs a synchronised operation; write 'Type = syncol_%s'",
                    x->root == ROOT_EACH ? "each" : "rotate", s->type->name);
    else if (x->root == ROOT_EACH && x->groups > 1)
        keys_reject(c, s, "'root=each' cannot be combined with groups; use 'root=rotate'");
}

void root_check(const struct suite *s, int smallest_run, struct complaints *c)
{
    const struct suite_options *x = &s->options;
    if (x->root != ROOT_RANK)
        check_root_pattern(s, c);
    else if (s->variation == VARY_NODES && x->root_rank >= smallest_run)
        keys_reject(c, s,
                    "root %ld is not among the %d processes of the first row; use 'Start_Argument "
                    "= %ld' or a lower root",
                    x->root_rank, smallest_run, x->root_rank + 1);
}

static void check_root(const struct params *p, const struct suite *s, int processes,
                       struct complaints *c)
{
    int groups = s->options.groups > 1 ? s->options.groups : 1;
    int those = topology_processes(p, s, processes) / groups;
    if (s->options.root == ROOT_RANK && s->options.root_rank > 0 && s->options.root_rank >= those)
        keys_reject(c, s, "root %ld is not among the %d processes of %s", s->options.root_rank,
                    those,
                    groups > 1          ? "a group"
                    : those < processes ? "the virtual topology"
                                        : "this run");
}

static void check_division(const struct suite *s, int processes, struct complaints *c)
{
    long nearest, n = application_suite_indivisible(s, processes, &nearest);
    if (n != 0)
        complaints_add(c, s->at[FIELD_TYPE],
                       "N = %ld is not a multiple of the %d processes; the nearest is case=%ld", n,
                       processes, nearest);
}

/* For each reason, the suites that are skipped for it. Complains if nothing is left. */
static void warn_of_left_out(const struct params *p, struct complaints *c)
{
    size_t left = 0;
    for (size_t i = 0; i < p->suite_count; i++) {
        const char *why = p->suites[i].skip;
        size_t first = 0;
        left += why == NULL;
        while (why != NULL &&
               (p->suites[first].skip == NULL || strcmp(p->suites[first].skip, why) != 0))
            first++;
        if (why == NULL || first < i)
            continue;
        struct text words = { 0 };
        struct grouped skips = { 0 };
        text_add(&words, "skipped, %s", why);
        for (size_t k = i; k < p->suite_count; k++)
            if (p->suites[k].skip != NULL && strcmp(p->suites[k].skip, why) == 0)
                grouped_add(&skips, &p->suites[k], p->suites[k].at[FIELD_TYPE], &words);
        grouped_warn(&skips, c);
        text_release(&words);
    }
    if (left == 0 && p->suite_count > 0)
        complaints_add(c, p->suites[0].at[FIELD_NAME],
                       "all suites were skipped; none can be measured here");
}

int params_check_processes(const struct params *p, int processes, struct complaints *c)
{
    size_t errors = c->errors;
    warn_of_left_out(p, c);
    for (size_t i = 0; i < p->suite_count; i++) {
        const struct suite *s = &p->suites[i];
        if (s->skip != NULL)
            continue;
        if (s->options.partner == PARTNER_RANK && s->options.partner_rank >= processes)
            keys_reject(c, s, "partner %ld is not among the %d processes of this run",
                        s->options.partner_rank, processes);
        pairing_check_processes(s, processes, c);
        check_groups(s, processes, c);
        check_root(p, s, processes, c);
        topology_check_processes(p, s, processes, c);
        if (s->type->application != NULL)
            check_division(s, processes, c);
        memory_check(p, s, processes, c);
    }
    if (c->errors == errors)
        warn_of_cuts(p, processes, c);
    warn_of_short_visits(p, c);
    return c->errors == errors ? 0 : -1;
}

static void warn_of_skips(const struct params *p, unsigned lacks, struct complaints *c)
{
    for (size_t i = 0; i < capability_count(); i++) {
        const struct capability_info *lacking = capability_get(i);
        struct text words = { 0 };
        struct grouped skips = { 0 };
        text_add(&words, "skipped, %s", lacking->text);
        for (size_t k = 0; k < p->skipped_count; k++) {
            const struct suite *s = &p->suites[p->suite_count + k];
            if (capability_first(suite_needs(p, s) & lacks) == lacking)
                grouped_add(&skips, s, s->at[FIELD_TYPE], &words);
        }
        grouped_warn(&skips, c);
        text_release(&words);
    }
}

/* Moves the suites that lack a feature; room has space for all suites. */
static void move_skipped(struct params *p, unsigned lacks, struct suite *room)
{
    size_t kept = 0, skipped = 0;
    for (size_t i = 0; i < p->suite_count; i++) {
        struct suite *s = &p->suites[i];
        if ((suite_needs(p, s) & lacks) != 0)
            room[skipped++] = *s;
        else
            p->suites[kept++] = *s;
    }
    memcpy(p->suites + kept, room, skipped * sizeof(*room));
    p->suite_count = kept;
    p->skipped_count = skipped;
}

void params_skip(struct params *p, const struct catalog *types, struct complaints *c)
{
    if (types->lacks == 0)
        return;
    struct suite *room = malloc((p->suite_count + 1) * sizeof(*room));
    if (room == NULL) {
        complaints_add(c, 0, "out of memory");
        return;
    }
    move_skipped(p, types->lacks, room);
    free(room);
    warn_of_skips(p, types->lacks, c);
    if (p->suite_count == 0 && p->skipped_count > 0)
        complaints_add(c, p->suites[0].at[FIELD_NAME],
                       "all suites were skipped; none can be measured here");
}
