/* Rules about the run: its number of processes, and features that its MPI library lacks. */

#include "model/argument_range.h"
#include "model/parameters.h"
#include "params/checks.h"
#include "params/tables.h"

/* Fewer repetitions in a visit are its slow first ones; suites that a warning names at most. */
enum { VISIT_LEAST = 4, MAX_NAMED = 5 };

/* Groups a warning about several suites: reports the first of them, and the number of others. */
struct grouped {
    size_t at;          /* place in the file, of the first suite */
    struct text first;  /* the warning about it */
    struct text others; /* names of further suites, up to a limit */
    size_t count;       /* of suites, including the first */
};

/* The first call determines place and words of the warning. */
__attribute__((format(printf, 4, 5))) static void
grouped_add(struct grouped *g, const struct suite *s, size_t at, const char *format, ...)
{
    const char *label = label_of(s);
    g->count++;
    if (g->count == 1) {
        g->at = at;
        text_add(&g->first, "suite '%s': ", label);
        text_add_own(&g->first, format);
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
                        plural(others), text_get(&g->others), others > MAX_NAMED ? ", ..." : "");
    text_release(&g->first);
    text_release(&g->others);
    *g = (struct grouped){ 0 };
}

/* Warns of suites that end before their End_Argument, grouped by reason. */
static void warn_of_cuts(const struct params *p, int processes, struct complaints *c)
{
    struct grouped cuts[RANGE_CUTS] = { 0 };
    for (const struct suite *s = p->suites; s < p->suites + p->suite_count; s++) {
        LOCAL_TEXT why = { 0 };
        if (s->skip != NULL)
            continue;
        enum range_cut cut = suite_range_cut(p, s, processes, &why);
        if (cut != RANGE_WHOLE)
            grouped_add(&cuts[cut], s, s->at[FIELD_END], "%s", text_get(&why));
    }
    for (int cut = 0; cut < RANGE_CUTS; cut++)
        grouped_warn(&cuts[cut], c);
}

static void warn_of_short_visits(const struct params *p, struct complaints *c)
{
    struct grouped few = { 0 };
    for (const struct suite *s = p->suites; s < p->suites + p->suite_count; s++) {
        int passes = s->options.passes, wanted = VISIT_LEAST * passes;
        if (s->skip == NULL && passes > 1 && wanted > s->max_repetition)
            grouped_add(&few, s, s->at[FIELD_PARAMETERS],
                        "passes=%d leaves a visit fewer than %d of %d repetitions, and the first "
                        "ones are slow; write fewer passes, or Max_Repetition = %d",
                        passes, VISIT_LEAST, s->max_repetition, wanted);
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

static bool has_reason(const struct suite *s, const char *why)
{
    return s->skip != NULL && strcmp(s->skip, why) == 0;
}

/* Warns of the suites that are skipped for each reason. Returns how many are skipped. */
static size_t warn_of_skips(const struct suite *s, size_t count, struct complaints *c)
{
    size_t skipped = 0;
    for (size_t i = 0; i < count; i++) {
        struct grouped skips = { 0 };
        size_t first = 0;
        if (s[i].skip == NULL)
            continue;
        while (!has_reason(&s[first], s[i].skip))
            first++;
        for (size_t k = i; k < count && first == i; k++)
            if (has_reason(&s[k], s[i].skip))
                grouped_add(&skips, &s[k], s[k].at[FIELD_TYPE], "skipped, %s", s[i].skip);
        grouped_warn(&skips, c);
        skipped++;
    }
    return skipped;
}

static void all_are_skipped(const struct params *p, struct complaints *c)
{
    complaints_add(c, p->suites[0].at[FIELD_NAME],
                   "all suites were skipped; none can be measured here");
}

int params_check_processes(const struct params *p, int processes, struct complaints *c)
{
    size_t errors = c->errors;
    if (warn_of_skips(p->suites, p->suite_count, c) == p->suite_count && p->suite_count > 0)
        all_are_skipped(p, c);
    for (const struct suite *s = p->suites; s < p->suites + p->suite_count; s++) {
        if (s->skip != NULL)
            continue;
        if (s->options.partner == PARTNER_RANK && s->options.partner_rank >= processes)
            keys_reject(c, s, "partner %ld is not among the %d processes of this run",
                        s->options.partner_rank, processes);
        pairing_check_processes(s, processes, c);
        check_groups(s, processes, c);
        int groups = s->options.groups, those = topology_processes(p, s, processes) / groups;
        const char *whole = those < processes ? "the virtual topology" : "this run";
        if (s->options.root == ROOT_RANK && s->options.root_rank > 0 &&
            s->options.root_rank >= those)
            keys_reject(c, s, "root %ld is not among the %d processes of %s", s->options.root_rank,
                        those, groups > 1 ? "a group" : whole);
        topology_check_processes(p, s, processes, c);
        long nearest, n = 0;
        if (s->type->application != NULL)
            n = application_suite_indivisible(s, processes, &nearest);
        if (n != 0)
            complaints_add(c, s->at[FIELD_TYPE],
                           "N = %ld is not a multiple of the %d processes; the nearest is case=%ld",
                           n, processes, nearest);
        memory_check(p, s, processes, c);
    }
    if (c->errors == errors)
        warn_of_cuts(p, processes, c);
    warn_of_short_visits(p, c);
    return c->errors == errors ? 0 : -1;
}

/* Moves the suites that lack a feature. */
static void move_skipped(struct params *p, unsigned lacks)
{
    size_t kept = 0, skipped = 0;
    struct suite *room;
    allocated_array(&room, p->suite_count);
    for (struct suite *s = p->suites; s < p->suites + p->suite_count; s++) {
        const struct capability_info *lacking = capability_first(suite_needs(p, s) & lacks);
        if (lacking != NULL) {
            s->skip = allocated(strdup(lacking->text));
            room[skipped++] = *s;
        } else {
            p->suites[kept++] = *s;
        }
    }
    memcpy(p->suites + kept, room, skipped * sizeof(*room));
    p->suite_count = kept;
    p->skipped_count = skipped;
    free(room);
}

void params_skip(struct params *p, const struct catalog *types, struct complaints *c)
{
    if (types->lacks == 0)
        return;
    move_skipped(p, types->lacks);
    warn_of_skips(p->suites + p->suite_count, p->skipped_count, c);
    if (p->suite_count == 0 && p->skipped_count > 0)
        all_are_skipped(p, c);
}

void memories_list(struct params *p)
{
    for (struct suite *s = p->suites; s < p->suites + p->suite_count; s++) {
        struct algorithms *a = &s->algorithms;
        if (!suite_varies_memory(s))
            continue;
        allocated_array(&a->list, MEMORY_KINDS);
        snprintf(
            a->variable, sizeof(a->variable), "%s",
            key_table.rows[suite_varies(s, send_in) ? OPTION_SEND_IN : OPTION_RECEIVE_IN].name);
        for (a->count = 0; a->count < MEMORY_KINDS; a->count++) {
            struct algorithm *one = &a->list[a->count];
            one->number = (int)a->count;
            snprintf(one->name, sizeof(one->name), "%s", memory_names[a->count]);
        }
    }
}
