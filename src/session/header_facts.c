#include "session/header_facts.h"

#include "base/commit.h"
#include "base/page_cache.h"
#include "base/version.h"
#include "context/library.h"
#include "hosts/cpus.h"
#include "hosts/job.h"
#include "hosts/link_rates.h"
#include "loops/loops.h"
#include "session/selftest.h"
#include "model/permutation.h"
#include "params/tables.h"
#include "results/fact.h"

#include <sys/utsname.h>

struct facts_of {
    const struct resources *resources;
    const struct params *p;
    struct utsname system; /* empty if uname fails */
};

/* The value of a fact that is available as a string; NULL for other facts. */
static const char *given_text(const struct facts_of *of, enum fact f)
{
    static const char *const yes_no[] = { "no", "yes" };
    const char *const texts[FACT_COUNT] = {
        [FACT_COMMENT] = of->p->comment,
        [FACT_MACHINE] = of->p->machine,
        [FACT_NODE] = of->p->node,
        [FACT_NETWORK] = of->p->network,
        [FACT_MPIVERSION] = of->p->mpi_version,
        [FACT_USER] = of->p->user,
        [FACT_NAMEOFRUN] = of->p->name_of_run,
        [FACT_LABEL] = of->p->labels,
        [FACT_RECORDED] = of->p->recorded,
        [FACT_SKAMPIVERSION] = SKAMPI_VERSION,
        [FACT_PROGRAM] = SKAMPI_COMMIT,
        [FACT_HOSTNAME] = of->resources->hosts.ranks[0].host,
        [FACT_OSNAME] = of->system.sysname,
        [FACT_OSRELEASE] = of->system.release,
        [FACT_OSVERSION] = of->system.version,
        [FACT_ARCHITECTURE] = of->system.machine,
        [FACT_ABSOLUTE] = yes_no[of->p->absolute],
        [FACT_OVERSUBSCRIBED] = yes_no[of->resources->hosts.oversubscribed],
    };
    return texts[f];
}

/* Adds a fact that is one number; false for other facts. */
static bool add_number(const struct resources *res, enum fact f, struct text *value)
{
    const struct {
        bool known;
        double number;
    } of[FACT_COUNT] = {
        [FACT_PROCESSES] = { true, res->size },
        [FACT_SYNCHRONISED] = { true, res->global.spent_s },
        [FACT_INIT] = { true, res->init_s < 0.0 ? NAN : res->init_s * 1e6 },
        [FACT_GPUSHARE] = { res->devices.list != NULL, res->devices.most_sharing },
    };
    if (of[f].known)
        fact_fill(value, f, { .number = of[f].number });
    return of[f].known;
}

static void add_date(struct text *value)
{
    time_t now = time(NULL);
    text_add_time(value, "%a %b %e %H:%M:%S %Y %z", localtime_r(&now, &(struct tm){ 0 }));
}

/* Adds the library; its text may have several lines, of which the first names it. */
static void add_library(struct text *value)
{
    char library[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int len;
    MPI_Get_library_version(library, &len);
    text_add(value, "%s", library);
}

static void add_standard(struct text *value)
{
    int version, subversion;
    MPI_Get_version(&version, &subversion);
    text_add(value, "%d.%d", version, subversion);
}

static void add_binding(const struct hosts *h, struct text *value)
{
    for (int rank = 0; rank < h->processes; rank++) {
        LOCAL_TEXT cpus = { 0 };
        cpus_list(h->ranks[rank].cpus, &cpus);
        fact_fill(value, FACT_BINDING, { .number = rank }, { .text = h->ranks[rank].host },
                  { .text = text_get(&cpus) });
    }
}

static void add_links(const struct hosts *h, struct text *value)
{
    struct link_rate links[MAX_LINKS];
    const int count = LIBRARY_IS_SIMULATED ? 0 : link_rates_read(SYSTEM_DIRECTORY, links);
    for (const struct link_rate *l = links; l < links + count; l++) {
        const double node = link_rates_node(SYSTEM_DIRECTORY, l);
        LOCAL_TEXT near = { 0 };
        for (int rank = 0; rank < h->processes; rank++)
            if (strcmp(h->ranks[rank].host, h->ranks[0].host) == 0 &&
                link_rates_near(SYSTEM_DIRECTORY, node, h->ranks[rank].core))
                text_add(&near, "%s%d", near.len > 0 ? "," : "", rank);
        if (!isnan(node))
            fact_fill(value, FACT_LINKS, { .text = l->name }, { .number = l->mbit / 1000.0 },
                      { .number = node }, { .text = near.len > 0 ? text_get(&near) : "none" });
    }
}

static void add_clock_bound(const struct resources *res, struct text *value)
{
    fact_fill(value, FACT_CLOCKBOUND, { .number = res->global.bound_s * 1e6 },
              { .text = resources_share_clock(res) ? "the step of the clock that all processes read"
                                                   : "half of the round trips between processes" });
}

static void add_timer(const struct resources *res, struct text *value)
{
    const struct clock *c = &res->clock;
    LOCAL_TEXT clock = { 0 };
    LOCAL_TEXT timer = { 0 };
    text_add(&clock, c->now == hostclock_now ? "CLOCK_MONOTONIC, as MPI_Wtime" : "MPI_Wtime");
    if (res->wtime_rate != 1.0)
        text_add(&clock, " has %.3f of its rate", res->wtime_rate);
    fact_fill(&timer, FACT_TIMER, { .text = text_get(&clock) }, { .number = c->tick_s * 1e6 },
              { .number = c->cost_s * 1e6 },
              { .number = c->noise_s > 0.0 ? c->noise_s * 1e6 : NAN });
    text_add(value, "%s", text_get(&timer));
}

static void add_ways(const struct resources *res, struct text *value)
{
    const struct global_clock *g = &res->global;
    text_add(value, "%s of rank 0; others",
             res->clock.now == hostclock_now ? "the host's clock" : "MPI_Wtime");
    if (g->links[LINK_HOST] > 0)
        text_add(value, ", %d by the clock of their host", g->links[LINK_HOST]);
    if (g->links[LINK_MESSAGES] > 0)
        text_add(value, ", %d by messages", g->links[LINK_MESSAGES]);
    if (g->links_global > 0)
        text_add(value, ", %d confirm MPI_WTIME_IS_GLOBAL", g->links_global);
}

static void add_start_skew(const struct resources *res, struct text *value)
{
    const struct start_skew *skew = &res->start_skew;
    fact_fill(value, FACT_STARTSKEW, { .number = skew->median_us }, { .number = START_SKEW_STARTS },
              { .number = skew->p25_us }, { .number = skew->p75_us });
}

static void add_gpus(const struct resources *res, struct text *value)
{
    const struct gpu_device *d = res->devices.list;
    for (int rank = 0; d != NULL && rank < res->size; rank++, d++)
        fact_fill(value, FACT_GPUS, { .number = rank }, { .text = res->hosts.ranks[rank].host },
                  { .number = d->number }, { .text = d->uuid }, { .text = d->bus },
                  { .number = d->cache_bytes / 1024 }, { .number = d->numa },
                  { .text = d->version }, { .text = d->name });
}

static void add_gpu_library(const struct resources *res, struct text *value)
{
    if (res->devices.list != NULL)
        devices_library(value);
}

static void add_thread_level(const struct facts_of *of, struct text *value)
{
    const struct params *p = of->p;
    int cpus = of->resources->hosts.cpus_each;
    if (p->level_wanted > LEVEL_SINGLE || p->level_given > LEVEL_SINGLE)
        fact_fill(value, FACT_THREADLEVEL, { .text = thread_level_names[p->level_wanted] },
                  { .text = thread_level_names[p->level_given] },
                  { .number = cpus > 0 ? (double)cpus : NAN });
}

/* "kept, fresh or cold if a suite says so": the values of a key that suites have. */
static void add_used(const struct params *p, enum suite_option key, struct text *value)
{
    static const char *const apart[] = { "", ", ", " or " };
    const struct value_row *row = &key_table.rows[key];
    int used = 0;
    for (int v = 0; value_name(row, v) != NULL; v++)
        for (size_t i = 0; i < p->suite_count; i++)
            if (*(const int *)value_get(row, &p->suites[i].options) == v) {
                text_add(value, "%s%s", apart[used < 2 ? used : 2], value_name(row, v));
                used++;
                break;
            }
    text_add(value, "%s", used > 1 ? " if a suite says so" : "");
}

static void add_session_directory(struct text *value)
{
    text_add(value, "%s, ", system_session_directory());
    page_cache_add_file_system(system_session_directory(), value);
}

static void add_suites(const struct params *p, struct text *value)
{
    for (size_t i = 0; i < p->suite_count; i++) {
        params_echo_suite(p, &p->suites[i], value);
        text_add(value, "%s", i + 1 < p->suite_count ? "\n" : "");
    }
}

static void add_environment(struct text *value)
{
    environment_add(value, environment_at_start());
}

static void add_loops(const struct params *p, struct text *value)
{
    for (enum language l = 0; l < LANGUAGE_COUNT; l++)
        for (size_t i = 0; i < p->suite_count; i++) {
            const struct suite_options *x = &p->suites[i].options;
            if (x->method != METHOD_MANUAL || x->language != l)
                continue;
            text_add(value, "%s%s", value->len > 0 ? "\n" : "", loops_compiler(l));
            break;
        }
}

static void add_files(const struct params *p, struct text *value)
{
    params_echo_files(p, value);
    if (value->len > 0)
        value->s[--value->len] = '\0';
}

/* The other header facts, without those that may repeat: the functions that add the values. */
static const struct {
    void (*anyone)(struct text *value);
    void (*of_hosts)(const struct hosts *h, struct text *value);
    void (*of_params)(const struct params *p, struct text *value);
    void (*of_resources)(const struct resources *res, struct text *value);
    void (*of_both)(const struct facts_of *of, struct text *value);
    size_t words;          /* their offset in the places of the ranks */
    enum suite_option key; /* whose values in the suites are the fact */
    bool optional;         /* only if it has a value */
} writers[FACT_COUNT] = {
    [FACT_DATE] = { add_date },
    [FACT_MPILIBRARY] = { add_library },
    [FACT_MPISTANDARD] = { add_standard },
    [FACT_LIBRARY] = { library_add_file, .optional = true },
    [FACT_SERVED] = { served_add },
    [FACT_SETTINGS] = { settings_add },
    [FACT_LIMITS] = { limits_add, .optional = true },
    [FACT_TMPDIR] = { add_session_directory },
    [FACT_PROCESSESPERHOST] = { .of_hosts = hosts_summary },
    [FACT_HARDWARE] = { cpus_hardware },
    [FACT_BINDING] = { .of_hosts = add_binding },
    [FACT_LINKS] = { .of_hosts = add_links, .optional = true },
    [FACT_THREADLEVEL] = { .of_both = add_thread_level, .optional = true },
    [FACT_GPUS] = { .of_resources = add_gpus, .optional = true },
    [FACT_GPULIBRARY] = { .of_resources = add_gpu_library, .optional = true },
    [FACT_GOVERNOR] = { .words = offsetof(struct place_of_rank, governor) },
    [FACT_CLOCKSOURCE] = { .words = offsetof(struct place_of_rank, clocksource) },
    [FACT_TIMER] = { .of_resources = add_timer },
    [FACT_GLOBALCLOCK] = { .of_resources = add_ways },
    [FACT_CLOCKBOUND] = { .of_resources = add_clock_bound },
    [FACT_STARTSKEW] = { .of_resources = add_start_skew },
    [FACT_SELFTEST] = { selftest_add, .optional = true },
    [FACT_CACHE] = { .key = OPTION_CACHE },
    [FACT_DATA] = { .key = OPTION_DATA },
    [FACT_ERROR] = { .key = OPTION_ERROR },
    [FACT_JOBID] = { job_add_number },
    [FACT_PARTITION] = { job_add_partition, .optional = true },
    [FACT_NODELIST] = { job_add_nodes, .optional = true },
    [FACT_PARAMETERS] = { .of_params = params_echo_sections },
    [FACT_SUITES] = { .of_params = add_suites },
    [FACT_ENVIRONMENT] = { add_environment },
    [FACT_PROGRAM] = { .optional = true },
    [FACT_RECORDED] = { .optional = true },
    [FACT_LOOPS] = { .of_params = add_loops, .optional = true },
    [FACT_FILES] = { .of_params = add_files, .optional = true },
};

static void add_fact(struct text *out, enum fact f, const struct facts_of *of)
{
    LOCAL_TEXT value = { 0 };
    const char *given = given_text(of, f);
    if (given != NULL)
        text_add(&value, "%s", given);
    else if (add_number(of->resources, f, &value))
        ;
    else if (writers[f].anyone != NULL)
        writers[f].anyone(&value);
    else if (writers[f].of_hosts != NULL)
        writers[f].of_hosts(&of->resources->hosts, &value);
    else if (writers[f].of_params != NULL)
        writers[f].of_params(of->p, &value);
    else if (writers[f].of_resources != NULL)
        writers[f].of_resources(of->resources, &value);
    else if (writers[f].of_both != NULL)
        writers[f].of_both(of, &value);
    else if (writers[f].words != 0)
        hosts_words(&of->resources->hosts, writers[f].words, &value);
    else if (writers[f].key != 0)
        add_used(of->p, writers[f].key, &value);
    else
        return; /* a test fails if the fact is missing */
    if (value.len > 0 || !writers[f].optional)
        fact_add(out, f, text_get(&value));
}

void facts_header(const struct resources *res, const struct params *p, const struct warnings *w,
                  struct text *out)
{
    struct facts_of of = { .resources = res, .p = p };
    if (uname(&of.system) < 0)
        of.system = (struct utsname){ 0 };
    for (enum fact f = 0; f < FACT_COUNT; f++)
        if (f == FACT_WARNING)
            for (size_t i = 0; i < w->count; i++)
                fact_add(out, f, text_get(&w->lines[i]));
        else if (fact_info(f)->place == FACT_OF_HEADER && f != FACT_SKIPPED)
            add_fact(out, f, &of);
        else
            for (size_t i = 0; f == FACT_SKIPPED && i < p->suite_count + p->skipped_count; i++)
                if (p->suites[i].skip != NULL)
                    fact_addf(out, f, "%s, %s", label_of(&p->suites[i]), p->suites[i].skip);
}

void facts_shuffle(const struct run_request *start, struct text *out)
{
    struct text value = { 0 };
    if (start->seed == 0)
        return;
    text_add(&value, "seed %" PRIu32 ":", start->seed);
    for (size_t i = 0; i < start->count; i++)
        text_add(&value, " %s", start->labels[shuffled(i, start->count, start->seed)]);
    fact_add_text(out, FACT_SHUFFLE, &value);
}

void facts_resumed(const struct resources *res, const struct warnings *w, struct text *out)
{
    text_add(out, "processes ");
    hosts_summary(&res->hosts, out);
    text_add(out, "\ntimer ");
    add_timer(res, out);
    text_add(out, "\nclocks ");
    add_ways(res, out);
    for (size_t i = 0; i < w->count; i++)
        text_add(out, "\nwarning %s", text_get(&w->lines[i]));
}

void facts_trailer(const struct resources *res, const char *failed, struct text *out)
{
    LOCAL_TEXT value = { 0 }, shares = { 0 };
    const struct duet *d = &res->duet;
    char id[16];
    double now_s = res->clock.now();
    shares_text(&res->shares, now_s, true, &shares);
    fact_write(out, FACT_RESIDUAL, { .number = res->global.residual_s * 1e6 });
    fact_fill(&value, FACT_WALLTIME, { .number = now_s - res->shares.started_s });
    text_add(&value, ", %s", text_get(&shares));
    fact_add_text(out, FACT_WALLTIME, &value);
    contention_run_facts(&res->contention, out);
    snprintf(id, sizeof(id), "%08" PRIx32, d->id);
    if (d->on)
        fact_write(out, FACT_DUET, { .text = id }, { .number = (double)d->turns },
                   { .number = d->slept_s }, { .number = 100.0 * d->cpu_s / d->slept_s },
                   { .number = d->wakeups / d->slept_s });
    if (*failed != '\0')
        fact_addf(out, FACT_FAILED, "%.*s", (int)strlen(failed) - 1, failed);
    late_fact_add(out, NAN);
}
