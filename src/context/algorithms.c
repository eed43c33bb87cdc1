#include "context/algorithms.h"

#include "base/text.h"
#include "context/cvars.h"
#include "model/buffer_size.h"
#include "model/topology_rules.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A part of an MPI library whose algorithm for a collective operation can be chosen. */
static const struct part_row {
    const char *variable;  /* %s: the collective */
    bool capitals;         /* its name is in capitals */
    bool at_call;          /* see algorithm_choice */
    const char *component; /* of Open MPI's framework coll */
    const char *enable;    /* a logical variable without which the others have no effect */
} rows[] = {
    { "coll_tuned_%s_algorithm", false, false, "tuned", "coll_tuned_use_dynamic_rules" },
    { "coll_libnbc_%s_algorithm", false, true, "libnbc", NULL },
    { "MPIR_CVAR_%s_INTRA_ALGORITHM", true, true, NULL, NULL },
};

/* Components of Open MPI that may serve a communicator instead. */
static const char *const rivals[] = { "han", "hcoll", "ucc", "adapt", "sm", "xhc", "acoll" };

static const char RULES_FILE[] = "coll_tuned_dynamic_rules_filename";
static const char STRICT[] = "MPIR_CVAR_COLLECTIVE_FALLBACK";
static const char *const segment_ends[] = { "_segmentsize", NULL };
static const char *const fanout_ends[] = { "_tree_fanout", "_chain_fanout", NULL };

static const char *variable_name(const struct part_row *row, const char *collective,
                                 char name[static 128])
{
    char in_case[64];
    size_t i = 0;
    for (; collective[i] != '\0' && i + 1 < sizeof(in_case); i++)
        in_case[i] = row->capitals ? (char)toupper((unsigned char)collective[i]) : collective[i];
    in_case[i] = '\0';
    const char *before = strstr(row->variable, "%s");
    snprintf(name, 128, "%.*s%s%s", (int)(before - row->variable), row->variable, in_case,
             before + 2);
    return name;
}

/* NULL: the library has no variable for the collective. */
static const struct part_row *part_of(const char *collective, char name[static 128])
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        if (cvar_find(variable_name(&rows[i], collective, name)) >= 0)
            return &rows[i];
    return NULL;
}

static int find_end(const char *variable, const char *end)
{
    char name[192];
    snprintf(name, sizeof(name), "%s%s", variable, end);
    return cvar_find(name);
}

static bool has_any(const char *variable, const char *const *ends)
{
    for (; *ends != NULL; ends++)
        if (cvar_is_settable(find_end(variable, *ends)))
            return true;
    return false;
}

/* Is the component kept out by the selection of the framework, "^han,adapt" or "tuned,basic"? */
static bool is_excluded(const char *selection, const char *component)
{
    bool listed = false, inverse = *selection == '^';
    size_t len = strlen(component);
    for (const char *at = selection + inverse; *at != '\0' && !listed;) {
        size_t word = strcspn(at, ",");
        listed = word == len && memcmp(at, component, len) == 0;
        at += word + (at[word] == ',');
    }
    return *selection != '\0' && listed == inverse;
}

static int priority_of(const char *component)
{
    char name[64];
    snprintf(name, sizeof(name), "coll_%s_priority", component);
    return cvar_get(cvar_find(name), -1);
}

/* The component that would serve instead; NULL: none. */
static const char *rival_of(const struct part_row *row)
{
    char selection[256];
    cvar_text(cvar_find("coll"), selection, sizeof(selection));
    for (size_t i = 0; row->component != NULL && i < sizeof(rivals) / sizeof(*rivals); i++)
        if (priority_of(rivals[i]) > priority_of(row->component) &&
            !is_excluded(selection, rivals[i]))
            return rivals[i];
    return NULL;
}

static bool has_rules_file(void)
{
    char path[2];
    return *cvar_text(cvar_find(RULES_FILE), path, sizeof(path)) != '\0';
}

/* Adds why the library's variable has no effect; nothing if it has one. */
static void explain_part(const struct suite *s, const struct part_row *row, struct text *why)
{
    const char *variable = s->algorithms.variable, *rival = row == NULL ? NULL : rival_of(row);
    int enable = row == NULL || row->enable == NULL ? -1 : cvar_find(row->enable);
    if (row == NULL)
        text_add(why, "this MPI library has no variable for the algorithm of %s", s->type->name);
    else if (rival != NULL)
        text_add(why,
                 "coll/%s answers before coll/%s, whose algorithms were wanted; start with "
                 "mpirun --mca coll ^%s",
                 rival, row->component, rival);
    else if (row->enable != NULL && has_rules_file())
        text_add(why, "the rules file of %s comes before a chosen algorithm; start without it",
                 RULES_FILE);
    else if (!cvar_is_settable(cvar_find(variable)))
        text_add(why, "this MPI library does not let a program set %s", variable);
    else if (enable >= 0 && cvar_get(enable, 1) == 0 && !cvar_is_settable(enable))
        text_add(why, "algorithms need: mpirun --mca %s 1", row->enable);
    else if (s->options.segment > 0 && !has_any(variable, segment_ends))
        text_add(why, "%s has no segments", variable);
    else if (s->options.fanout > 0 && !has_any(variable, fanout_ends))
        text_add(why, "%s has no fanout", variable);
}

static void explain_size(const struct params *p, const struct suite *s, int processes,
                         struct text *why)
{
    int own = suite_processes(s, processes);
    if (own < 2)
        text_add(why, "too few processes for 'processes'");
    else if (s->variation == VARY_ALGORITHM &&
             !suite_fits(p, s, suite_length_among(p, s, own), own))
        text_add(why, "needs more than '@MEMORY %d'", p->memory_kib);
}

enum { MISSPELT = 2 }; /* characters */

/* The algorithm that the key names. */
static const struct algorithm *find_named(const struct suite *s, struct complaints *c)
{
    const struct algorithms *a = &s->algorithms;
    const char *word = s->options.algorithm;
    char *end;
    long number = strtol(word, &end, 10);
    for (size_t i = 0; i < a->count; i++)
        if (*end == '\0' ? a->list[i].number == number : text_same(a->list[i].name, word))
            return &a->list[i];
    struct text names = { 0 };
    const char *nearest = NULL;
    for (size_t i = 0; i < a->count; i++) {
        text_add(&names, "%s%d %s", i == 0 ? "" : ", ", a->list[i].number, a->list[i].name);
        if (text_distance(word, a->list[i].name, MISSPELT) <= MISSPELT)
            nearest = a->list[i].name;
    }
    complaints_add(c, s->at[FIELD_PARAMETERS], "%s has no algorithm '%s'%s%s%s; it has %s",
                   a->variable, word, nearest != NULL ? ", did you mean '" : "",
                   nearest != NULL ? nearest : "", nearest != NULL ? "'?" : "", text_get(&names));
    text_release(&names);
    return NULL;
}

/* Which of the algorithms fit; the one that is chosen must. */
static void find_fitting(const struct params *p, struct suite *s, int processes, struct text *why,
                         struct complaints *c)
{
    struct algorithms *a = &s->algorithms;
    for (size_t i = 0; i < a->count; i++)
        a->list[i].misfit = algorithm_misfit(p, s, processes, a->list[i].name);
    if (s->variation == VARY_ALGORITHM)
        return;
    const struct algorithm *chosen = find_named(s, c);
    if (chosen != NULL)
        a->number = chosen->number;
    if (chosen != NULL && chosen->misfit != NULL)
        text_add(why, "%s: %s", chosen->name, chosen->misfit);
}

static void ask(const struct params *p, struct suite *s, int processes, struct complaints *c)
{
    struct text why = { 0 };
    struct err e = { "" };
    explain_size(p, s, processes, &why);
    if (why.len == 0 && suite_chooses(s)) {
        explain_part(s, part_of(s->type->collective, s->algorithms.variable), &why);
        if (why.len == 0 &&
            cvar_choices(cvar_find(s->algorithms.variable), &s->algorithms, &e) != 0)
            complaints_add(c, s->at[FIELD_PARAMETERS], "%s", e.text);
        else if (why.len == 0)
            find_fitting(p, s, processes, &why, c);
    }
    s->skip = why.len > 0 ? text_take(&why) : NULL;
    text_release(&why);
}

void algorithms_ask(struct params *p, int processes, struct complaints *c)
{
    bool begun = false;
    for (size_t i = 0; i < p->suite_count; i++) {
        struct suite *s = &p->suites[i];
        if (!suite_chooses(s) && s->options.processes == PROCESSES_ALL)
            continue;
        if (!begun)
            cvars_begin();
        begun = true;
        ask(p, s, processes, c);
    }
}

struct algorithm_choice algorithm_choose(const struct suite *s, int number)
{
    char name[128];
    if (!suite_chooses(s))
        return (struct algorithm_choice){ .cvar = -1 };
    const struct part_row *row = part_of(s->type->collective, name);
    return (struct algorithm_choice){ .variable = s->algorithms.variable,
                                      .cvar = cvar_find(name),
                                      .number = number,
                                      .started = cvar_get(cvar_find(name), 0),
                                      .segment = s->options.segment,
                                      .fanout = s->options.fanout,
                                      .enable = row == NULL ? NULL : row->enable,
                                      .at_call = row != NULL && row->at_call };
}

/* A variable that was set, to be set back. */
struct change {
    int cvar, before;
};

enum { MOST_CHANGES = 8 };

struct changes {
    struct change list[MOST_CHANGES];
    int count;
};

static void change(struct changes *c, int cvar, int value)
{
    if (!cvar_is_settable(cvar) || c->count == MOST_CHANGES)
        return;
    c->list[c->count++] = (struct change){ cvar, cvar_get(cvar, 0) };
    cvar_set(cvar, value);
}

static void change_all(struct changes *c, const char *variable, const char *const *ends, int value)
{
    for (; *ends != NULL; ends++)
        change(c, find_end(variable, *ends), value);
}

static void undo(struct changes *c)
{
    while (c->count > 0) {
        const struct change *last = &c->list[--c->count];
        cvar_set(last->cvar, last->before);
    }
}

/* 0 is what the library was started with. */
static void apply(struct changes *c, const struct algorithm_choice *choice)
{
    if (choice->cvar < 0 || choice->number == 0)
        return;
    if (choice->enable != NULL)
        change(c, cvar_find(choice->enable), 1);
    change(c, choice->cvar, choice->number);
    change_all(c, choice->variable, segment_ends, choice->segment);
    if (choice->fanout > 0)
        change_all(c, choice->variable, fanout_ends, choice->fanout);
}

static bool same_choice(const struct algorithm_choice *a, const struct algorithm_choice *b)
{
    return a->cvar == b->cvar && a->number == b->number && a->segment == b->segment &&
           a->fanout == b->fanout;
}

static MPI_Comm new_comm(const struct algorithm_choice *choice, MPI_Comm world, int processes)
{
    struct changes changes = { .count = 0 };
    MPI_Comm comm;
    int rank;
    MPI_Comm_rank(world, &rank);
    apply(&changes, choice);
    MPI_Comm_split(world, rank < processes ? 0 : MPI_UNDEFINED, rank, &comm);
    undo(&changes);
    return comm;
}

MPI_Comm algorithm_comm(struct algorithm_comms *a, const struct algorithm_choice *choice,
                        MPI_Comm world, int processes)
{
    for (size_t i = 0; i < a->count; i++)
        if (same_choice(&a->list[i].choice, choice) && a->list[i].processes == processes)
            return a->list[i].comm;
    struct algorithm_comm *more = realloc(a->list, (a->count + 1) * sizeof(*more));
    int enough = more != NULL;
    a->list = enough ? more : a->list;
    MPI_Allreduce(MPI_IN_PLACE, &enough, 1, MPI_INT, MPI_MIN, world);
    if (!enough)
        return MPI_COMM_NULL;
    a->list[a->count] =
        (struct algorithm_comm){ *choice, processes, new_comm(choice, world, processes) };
    return a->list[a->count++].comm;
}

void algorithm_comms_release(struct algorithm_comms *a)
{
    for (size_t i = 0; i < a->count; i++)
        if (a->list[i].comm != MPI_COMM_NULL)
            MPI_Comm_free(&a->list[i].comm);
    free(a->list);
    *a = (struct algorithm_comms){ 0 };
    cvars_end();
}

void algorithm_force(const struct algorithm_choice *choice, bool on)
{
    if (choice->cvar >= 0 && choice->at_call && choice->number != 0)
        cvar_set(choice->cvar, on ? choice->number : choice->started);
}

int algorithm_be_strict(void)
{
    int cvar = cvar_find(STRICT), before = cvar_get(cvar, -1);
    struct algorithms names = { .count = 0 };
    struct err e = { "" };
    if (cvar >= 0 && cvar_choices(cvar, &names, &e) == 0)
        for (size_t i = 0; i < names.count; i++)
            if (strcmp(names.list[i].name, "error") == 0)
                cvar_set(cvar, names.list[i].number);
    free(names.list);
    return before;
}

void algorithm_be_lenient(int before)
{
    if (before >= 0)
        cvar_set(cvar_find(STRICT), before);
}
