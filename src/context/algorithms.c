#include "context/algorithms.h"

#include "context/control.h"
#include "context/cvars.h"
#include "context/library.h"
#include "model/buffer_size.h"
#include "model/parameters.h"

#include <ctype.h>

/* A part of an MPI library whose algorithm for a collective operation can be chosen. */
static const struct part_row {
    const char *variable;  /* %s: the collective */
    bool at_call;          /* see algorithm_choice; its name is in capitals, unless there is */
    const char *component; /* of Open MPI's framework coll */
    const char *enable;    /* a logical variable without which the others have no effect */
    const char *device;    /* a logical variable with which the device's algorithms come first */
    const char *start;     /* the environment, which alone chooses, when the library starts */
} rows[] = {
    { "coll_tuned_%s_algorithm", false, "tuned", "coll_tuned_use_dynamic_rules", NULL, NULL },
    { "coll_libnbc_%s_algorithm", true, "libnbc", NULL, NULL, NULL },
    { "MPIR_CVAR_%s_INTRA_ALGORITHM", true, NULL, NULL, "MPIR_CVAR_%s_DEVICE_COLLECTIVE", NULL },
    { "MPIR_CVAR_USE_%s", false, NULL, NULL, NULL, "I_MPI_ADJUST_%s" },
};

/* Components of Open MPI that may serve a communicator instead. The first does so only if the
 * processes are on several hosts. */
static const char *const rivals[] = { "han", "hcoll", "ucc", "adapt", "sm", "xhc", "acoll" };

static const char RULES_FILE[] = "coll_tuned_dynamic_rules_filename";
static const char STRICT[] = "MPIR_CVAR_COLLECTIVE_FALLBACK";

static const struct {
    const char *end;
    bool is_fanout; /* or it is a segment */
} ends[] = {
    { "_segmentsize", false },
    { "_tree_fanout", true },
    { "_chain_fanout", true },
};

static const char *variable_name(const struct part_row *row, const char *pattern,
                                 const char *collective, char name[static 128])
{
    int before = (int)strcspn(pattern, "%");
    int len = snprintf(name, 128, "%.*s%s%s", before, pattern, collective, pattern + before + 2);
    for (int i = before; row->component == NULL && i < len && i < 127; i++)
        name[i] = (char)toupper((unsigned char)name[i]);
    return name;
}

/* NULL: the library has no variable for the collective. */
static const struct part_row *part_of(const char *collective, char name[static 128])
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        if (cvar_find(variable_name(&rows[i], rows[i].variable, collective, name)) >= 0)
            return &rows[i];
    return NULL;
}

static int find_end(const char *variable, const char *end)
{
    char name[192];
    snprintf(name, sizeof(name), "%s%s", variable, end);
    return cvar_find(name);
}

static bool has_any(const char *variable, bool fanouts)
{
    for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
        if (ends[i].is_fanout == fanouts && cvar_is_settable(find_end(variable, ends[i].end)))
            return true;
    return false;
}

static int priority_of(const char *component)
{
    char name[64];
    snprintf(name, sizeof(name), "coll_%s_priority", component);
    return cvar_get(cvar_find(name), -1);
}

/* The component that would serve instead; NULL if none would. Before MPI_Init, components that the
 * selection "^han,adapt" or "tuned,basic" excludes have a priority, too. */
static const char *rival_of(const struct part_row *row, bool between_hosts)
{
    char selection[256];
    bool all = !cvar_text(cvar_find("coll"), selection, sizeof(selection)) || *selection == '\0';
    size_t count = row->component == NULL ? 0 : sizeof(rivals) / sizeof(*rivals);
    for (size_t i = between_hosts ? 0 : 1; i < count; i++)
        if (priority_of(rivals[i]) > priority_of(row->component) &&
            (all || text_has(selection, rivals[i]) != (*selection == '^')))
            return rivals[i];
    return NULL;
}

/* Adds why the library's variable has no effect; nothing if it does. */
static void explain_part(const struct suite *s, const struct part_row *row, bool between_hosts,
                         struct text *why)
{
    const char *variable = s->algorithms.variable;
    const char *rival = row == NULL ? NULL : rival_of(row, between_hosts);
    int enable = row == NULL || row->enable == NULL ? -1 : cvar_find(row->enable);
    char file[2] = "";
    if (enable >= 0)
        cvar_text(cvar_find(RULES_FILE), file, sizeof(file));
    if (row == NULL)
        text_add(why, "this MPI library has no variable for the algorithm of %s", s->type->name);
    else if (rival != NULL)
        text_add(why,
                 "coll/%s answers before coll/%s, whose algorithms were wanted; start with "
                 "OMPI_MCA_coll=^%s in the environment",
                 rival, row->component, rival);
    else if (*file != '\0')
        text_add(why, "the rules file of %s comes before a chosen algorithm; start without it",
                 RULES_FILE);
    else if (!cvar_is_settable(cvar_find(variable)))
        text_add(why, "this MPI library does not let a program set %s", variable);
    else if (enable >= 0 && cvar_get(enable, 1) == 0 && !cvar_is_settable(enable))
        text_add(why, "algorithms need: OMPI_MCA_%s=1 in the environment", row->enable);
    else if (s->options.segment > 0 && !has_any(variable, false))
        text_add(why, "%s has no segments", variable);
    else if (s->options.fanout > 0 && !has_any(variable, true))
        text_add(why, "%s has no fanout", variable);
}

static bool lacks_bystanders(const struct suite *s)
{
    return library_partitions_need_all() && (s->type->needs & NEEDS_PARTITIONS) != 0;
}

static void explain_size(const struct params *p, const struct suite *s, int processes,
                         struct text *why)
{
    int own = suite_processes(s, processes);
    if (own < 2)
        text_add(why, "too few processes for 'processes'");
    else if (suite_varies(s, algorithm) && !suite_fits(p, s, suite_length_among(p, s, own), own))
        text_add(why, "needs more than '@MEMORY %d'", p->memory_kib);
    else if (lacks_bystanders(s) && processes > 2)
        text_add(why, "Open MPI 5 hangs in partitioned communication beside a third process (its "
                      "issue 12969); start 2 processes");
}

static const struct algorithm *find_named(const struct suite *s, struct complaints *c)
{
    const struct algorithms *a = &s->algorithms;
    const char *word = s->options.algorithm;
    char *end;
    long number = strtol(word, &end, 10);
    for (size_t i = 0; i < a->count; i++)
        if (*end == '\0' ? a->list[i].number == number : text_same(a->list[i].name, word))
            return &a->list[i];
    LOCAL_TEXT names = { 0 };
    for (size_t i = 0; i < a->count; i++)
        text_add(&names, "%s%d %s", i == 0 ? "" : ", ", a->list[i].number, a->list[i].name);
    complaints_add(c, s->at[FIELD_PARAMETERS], "%s has no algorithm '%s'; it has %s", a->variable,
                   word, text_get(&names));
    return NULL;
}

/* Keeps the algorithm with which the library was started: its number, or 0, its own choice, which
 * also has rules with conditions, "1:0-1023;2:1024-4096". */
static void keep_started(struct algorithms *a)
{
    char *end = "";
    const char *value = getenv(a->variable);
    long number = value == NULL ? 0 : strtol(value, &end, 10);
    for (size_t i = 0; i < a->count; i++)
        if (a->list[i].number != (*end == '\0' && number > 0 ? number : 0))
            a->list[i].misfit = "the library chooses it only when it starts";
}

static void find_fitting(const struct params *p, struct suite *s, int processes, struct text *why,
                         struct complaints *c)
{
    struct algorithms *a = &s->algorithms;
    for (size_t i = 0; i < a->count; i++)
        a->list[i].misfit = algorithm_misfit(p, s, processes, a->list[i].name);
    if (cvar_find(a->variable) < 0)
        keep_started(a);
    if (suite_varies(s, algorithm))
        return;
    const struct algorithm *chosen = find_named(s, c);
    if (chosen != NULL)
        a->number = chosen->number;
    if (chosen != NULL && chosen->misfit != NULL)
        text_add(why, "%s: %s", chosen->name, chosen->misfit);
}

static void ask(const struct params *p, struct suite *s, int processes, bool between_hosts,
                struct complaints *c)
{
    LOCAL_TEXT why = { 0 };
    struct algorithms *a = &s->algorithms;
    explain_size(p, s, processes, &why);
    if (why.len == 0 && suite_chooses(s)) {
        const struct part_row *row = part_of(s->type->collective, a->variable);
        explain_part(s, row, between_hosts, &why);
        if (why.len == 0) {
            cvar_choices(cvar_find(a->variable), a);
            if (row->start != NULL)
                variable_name(row, row->start, s->type->collective, a->variable);
            find_fitting(p, s, processes, &why, c);
        }
    }
    s->skip = why.len > 0 ? text_take(&why) : NULL;
}

void algorithms_ask(struct params *p, int processes, bool between_hosts, struct complaints *c)
{
    bool begun = false;
    for (size_t i = 0; i < p->suite_count; i++) {
        struct suite *s = &p->suites[i];
        if (!suite_chooses(s) && s->options.processes == PROCESSES_ALL && !lacks_bystanders(s))
            continue;
        if (!begun)
            cvars_begin();
        begun = true;
        ask(p, s, processes, between_hosts, c);
    }
}

static void want(struct algorithm_choice *choice, int cvar, int value)
{
    if (!cvar_is_settable(cvar) || choice->count == MOST_SETTINGS)
        return;
    choice->settings[choice->count].cvar = cvar;
    choice->settings[choice->count++].value = value;
}

/* Turns an algorithm that does not fit into an error, instead of another algorithm. */
static void want_errors(struct algorithm_choice *choice)
{
    struct algorithms names = { .count = 0 };
    int cvar = cvar_find(STRICT);
    cvar_choices(cvar, &names);
    for (size_t i = 0; i < names.count; i++)
        if (strcmp(names.list[i].name, "error") == 0)
            want(choice, cvar, names.list[i].number);
    free(names.list);
}

struct algorithm_choice algorithm_choose(const struct suite *s, int number)
{
    char name[128], other[128];
    const struct part_row *row = suite_chooses(s) ? part_of(s->type->collective, name) : NULL;
    struct algorithm_choice choice = { .cvar = row == NULL ? -1 : cvar_find(name),
                                       .number = number };
    if (row == NULL || number == 0)
        return choice;
    choice.at_call = row->at_call;
    if (row->start != NULL)
        return choice;
    if (row->enable != NULL)
        want(&choice, cvar_find(row->enable), 1);
    if (row->device != NULL)
        want(&choice, cvar_find(variable_name(row, row->device, s->type->collective, other)), 0);
    want(&choice, choice.cvar, number);
    for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
        if (!ends[i].is_fanout || s->options.fanout > 0)
            want(&choice, find_end(name, ends[i].end),
                 ends[i].is_fanout ? s->options.fanout : s->options.segment);
    want_errors(&choice);
    return choice;
}

static void swap(struct algorithm_choice *choice)
{
    for (int i = 0; i < choice->count; i++) {
        int before = cvar_get(choice->settings[i].cvar, 0);
        cvar_set(choice->settings[i].cvar, choice->settings[i].value);
        choice->settings[i].value = before;
    }
}

static bool same_choice(const struct algorithm_choice *a, const struct algorithm_choice *b)
{
    return a->cvar == b->cvar && a->number == b->number && a->count == b->count &&
           memcmp(a->settings, b->settings, (size_t)a->count * sizeof(*a->settings)) == 0;
}

static MPI_Comm new_comm(struct algorithm_choice choice, MPI_Comm world, int processes)
{
    MPI_Comm comm;
    int rank = rank_in(world);
    swap(&choice);
    MPI_Comm_split(world, rank < processes ? 0 : MPI_UNDEFINED, rank, &comm);
    swap(&choice);
    return comm;
}

MPI_Comm algorithm_comm(struct algorithm_comms *a, const struct algorithm_choice *choice,
                        MPI_Comm world, int processes)
{
    for (size_t i = 0; i < a->count; i++)
        if (same_choice(&a->list[i].choice, choice) && a->list[i].processes == processes)
            return a->list[i].comm;
    a->list = allocated(realloc(a->list, (a->count + 1) * sizeof(*a->list)));
    a->list[a->count] =
        (struct algorithm_comm){ *choice, processes, new_comm(*choice, world, processes) };
    return a->list[a->count++].comm;
}

void algorithm_comms_release(struct algorithm_comms *a)
{
    for (size_t i = 0; i < a->count; i++)
        if (a->list[i].comm != MPI_COMM_NULL)
            MPI_Comm_free(&a->list[i].comm);
    free(a->list);
    *a = (struct algorithm_comms){ 0 };
}

void algorithm_toggle(struct algorithm_choice *choice)
{
    if (choice->at_call)
        swap(choice);
}
