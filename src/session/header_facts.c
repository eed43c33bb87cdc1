#include "session/header_facts.h"

#include "context/library.h"
#include "loops/loops.h"
#include "model/parameters.h"
#include "model/permutation.h"
#include "params/tables.h"
#include "results/late_fact.h"
#include "results/environment.h"
#include "results/fact.h"
#include "session/served.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <time.h>

extern char **environ;

/* The sources of the facts. */
struct facts_of {
    const struct machine *m;
    const struct params *p;
    const struct warnings *w;
    struct utsname system; /* empty if uname fails */
};

/* Adds the value of a fact. */
typedef void write_value(const struct facts_of *of, struct text *value);

/* The value of a fact that is available as a string; NULL for other facts. */
static const char *given_text(const struct facts_of *of, enum fact f)
{
    const char *const texts[FACT_COUNT] = {
        [FACT_COMMENT] = of->p->comment,
        [FACT_MACHINE] = of->p->machine,
        [FACT_NODE] = of->p->node,
        [FACT_NETWORK] = of->p->network,
        [FACT_MPIVERSION] = of->p->mpi_version,
        [FACT_USER] = of->p->user,
        [FACT_NAMEOFRUN] = of->p->name_of_run,
        [FACT_RECORDED] = of->p->recorded,
        [FACT_SKAMPIVERSION] = SKAMPI_VERSION,
        [FACT_OSNAME] = of->system.sysname,
        [FACT_OSRELEASE] = of->system.release,
        [FACT_OSVERSION] = of->system.version,
        [FACT_ARCHITECTURE] = of->system.machine,
        [FACT_ABSOLUTE] = of->p->absolute ? "yes" : "no",
        [FACT_OVERSUBSCRIBED] = of->m->hosts.oversubscribed ? "yes" : "no",
    };
    return texts[f];
}

static void add_host_name(const struct facts_of *of, struct text *value)
{
    char host[MPI_MAX_PROCESSOR_NAME + 1] = "";
    int len;
    (void)of;
    MPI_Get_processor_name(host, &len);
    text_add(value, "%s", host);
}

static void add_date(const struct facts_of *of, struct text *value)
{
    char date[64] = "";
    time_t now = time(NULL);
    struct tm broken_down;
    (void)of;
    if (localtime_r(&now, &broken_down) != NULL)
        strftime(date, sizeof(date), "%a %b %e %H:%M:%S %Y %z", &broken_down);
    text_add(value, "%s", date);
}

/* The library's text may have several lines; the first names it. */
static void add_library(const struct facts_of *of, struct text *value)
{
    char library[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int len;
    (void)of;
    MPI_Get_library_version(library, &len);
    text_add(value, "%s", library);
}

static void add_standard(const struct facts_of *of, struct text *value)
{
    int version, subversion;
    (void)of;
    MPI_Get_version(&version, &subversion);
    text_add(value, "%d.%d", version, subversion);
}

/* --- hosts --- */

static void add_processes(const struct facts_of *of, struct text *value)
{
    text_add(value, "%d", of->m->size);
}

static void add_hardware(const struct facts_of *of, struct text *value)
{
    (void)of;
    hosts_hardware(value);
}

/* --- clocks --- */

static void describe_timer(const struct clock *c, struct text *out)
{
    text_add(out, "MPI_Wtime, tick %.6f microsec., cost %.6f microsec. per call", c->tick_s * 1e6,
             c->cost_s * 1e6);
    if (c->noise_s > 0.0)
        text_add(out, ", readings up to %.6f microsec. late", c->noise_s * 1e6);
}

static void add_timer(const struct facts_of *of, struct text *value)
{
    describe_timer(&of->m->clock, value);
}

static void add_ways(const struct global_clock *g, struct text *out)
{
    const char *apart = ", ";
    text_add(out, "MPI_Wtime of rank 0; others");
    if (g->links[LINK_HOST] > 0)
        text_add(out, "%s%d by the clock of their host", apart, g->links[LINK_HOST]);
    if (g->links[LINK_MESSAGES] > 0)
        text_add(out, "%s%d by messages", apart, g->links[LINK_MESSAGES]);
    if (g->links_global > 0)
        text_add(out, "%s%d confirm MPI_WTIME_IS_GLOBAL", apart, g->links_global);
}

static void add_global_clock(const struct facts_of *of, struct text *value)
{
    add_ways(&of->m->global, value);
}

static void add_clock_bound(const struct facts_of *of, struct text *value)
{
    text_add(value, "%.6f %s, sum of the two largest half round trips", of->m->global.bound_s * 1e6,
             fact_info(FACT_CLOCKBOUND)->unit);
}

static void add_synchronised(const struct facts_of *of, struct text *value)
{
    text_add(value, "%.6f %s", of->m->global.spent_s, fact_info(FACT_SYNCHRONISED)->unit);
}

static void add_start_skew(const struct facts_of *of, struct text *value)
{
    const struct start_skew *skew = &of->m->start_skew;
    const char *unit = fact_info(FACT_STARTSKEW)->unit;
    text_add(value, "%.6f %s, the middle half of %d starts from %.6f %s to %.6f %s",
             skew->median_us, unit, START_SKEW_STARTS, skew->p25_us, unit, skew->p75_us, unit);
}

static void add_init(const struct facts_of *of, struct text *value)
{
    if (of->m->init_s < 0.0)
        text_add(value, "unknown");
    else
        text_add(value, "%.6f %s", of->m->init_s * 1e6, fact_info(FACT_INIT)->unit);
}

/* --- how it is measured --- */

static void add_cache(const struct facts_of *of, struct text *value)
{
    bool warm = false, cold = false;
    for (size_t i = 0; i < of->p->suite_count; i++) {
        warm = warm || of->p->suites[i].options.cache == CACHE_WARM;
        cold = cold || of->p->suites[i].options.cache == CACHE_COLD;
    }
    text_add(value, "%s", warm && cold ? "warm, cold if a suite says so" : cold ? "cold" : "warm");
}

/* "kept, fresh or cold if a suite says so" */
static void add_data(const struct facts_of *of, struct text *value)
{
    const char *names[3];
    int n = 0;
    for (size_t d = 0; data_names[d] != NULL; d++)
        for (size_t i = 0; i < of->p->suite_count; i++)
            if (of->p->suites[i].options.data == (enum data_regime)d) {
                names[n++] = data_names[d];
                break;
            }
    for (int i = 0; i < n; i++)
        text_add(value, "%s%s", i == 0 ? "" : i == 1 ? ", " : " or ", names[i]);
    text_add(value, "%s", n > 1 ? " if a suite says so" : "");
}

static void add_error(const struct facts_of *of, struct text *value)
{
    bool used[] = { [ERROR_WINSORISED] = false, [ERROR_PAPER] = false };
    for (size_t i = 0; i < of->p->suite_count; i++)
        used[of->p->suites[i].options.error] = true;
    bool both = used[ERROR_WINSORISED] && used[ERROR_PAPER];
    text_add(value, "%s%s",
             error_names[used[ERROR_PAPER] && !both ? ERROR_PAPER : ERROR_WINSORISED],
             both ? ", paper if a suite says so" : "");
}

static void add_job(const struct facts_of *of, struct text *value)
{
    static const char *const ids[] = { "SLURM_JOB_ID", "PBS_JOBID",    "LSB_JOBID",
                                       "JOB_ID",       "COBALT_JOBID", "FLUX_JOB_ID" };
    const char *id = NULL;
    (void)of;
    for (size_t i = 0; i < sizeof(ids) / sizeof(*ids) && id == NULL; i++)
        id = getenv(ids[i]);
    text_add(value, "%s", id == NULL ? "none" : id);
}

static void add_parameters(const struct facts_of *of, struct text *value)
{
    params_echo_sections(of->p, value);
}

static void add_suites(const struct facts_of *of, struct text *value)
{
    const struct params *p = of->p;
    for (size_t i = 0; i < p->suite_count; i++) {
        params_echo_suite(p, &p->suites[i], value);
        text_add(value, "%s", i + 1 < p->suite_count ? "\n" : "");
    }
}

static void add_environment(const struct facts_of *of, struct text *value)
{
    (void)of;
    environment_add(value, environ);
}

/* A line for each language that a suite uses. */
static void add_loops(const struct facts_of *of, struct text *value)
{
    const struct params *p = of->p;
    for (enum language l = 0; l < LANGUAGE_COUNT; l++)
        for (size_t i = 0; i < p->suite_count; i++) {
            const struct suite_options *x = &p->suites[i].options;
            if (x->method != METHOD_MANUAL || x->language != l)
                continue;
            text_add(value, "%s%s", value->len > 0 ? "\n" : "", loops_compiler(l));
            break;
        }
}

/* A line for each file that a suite or a topology names. */
static void add_files(const struct facts_of *of, struct text *value)
{
    params_echo_files(of->p, value);
    if (value->len > 0)
        value->s[--value->len] = '\0';
}

/* The other header facts, except those that may occur several times. */
static const struct {
    write_value *value;
    void (*of_hosts)(const struct hosts *h, struct text *value); /* instead */
    bool optional;                                               /* only if it has a value */
} writers[FACT_COUNT] = {
    [FACT_HOSTNAME] = { add_host_name },
    [FACT_DATE] = { add_date },
    [FACT_MPILIBRARY] = { add_library },
    [FACT_MPISTANDARD] = { add_standard },
    [FACT_SERVED] = { served_add },
    [FACT_SETTINGS] = { settings_add },
    [FACT_PROCESSES] = { add_processes },
    [FACT_PROCESSESPERHOST] = { .of_hosts = hosts_summary },
    [FACT_HARDWARE] = { add_hardware },
    [FACT_BINDING] = { .of_hosts = hosts_binding },
    [FACT_GOVERNOR] = { .of_hosts = hosts_governors },
    [FACT_CLOCKSOURCE] = { .of_hosts = hosts_clocksources },
    [FACT_TIMER] = { add_timer },
    [FACT_GLOBALCLOCK] = { add_global_clock },
    [FACT_CLOCKBOUND] = { add_clock_bound },
    [FACT_SYNCHRONISED] = { add_synchronised },
    [FACT_STARTSKEW] = { add_start_skew },
    [FACT_INIT] = { add_init },
    [FACT_CACHE] = { add_cache },
    [FACT_DATA] = { add_data },
    [FACT_ERROR] = { add_error },
    [FACT_JOBID] = { add_job },
    [FACT_PARAMETERS] = { add_parameters },
    [FACT_SUITES] = { add_suites },
    [FACT_ENVIRONMENT] = { add_environment },
    [FACT_RECORDED] = { .optional = true },
    [FACT_LOOPS] = { add_loops, .optional = true },
    [FACT_FILES] = { add_files, .optional = true },
};

static void add_fact(struct text *out, enum fact f, const struct facts_of *of)
{
    struct text value = { 0 };
    const char *given = given_text(of, f);
    if (given != NULL)
        text_add(&value, "%s", given);
    else if (writers[f].of_hosts != NULL)
        writers[f].of_hosts(&of->m->hosts, &value);
    else if (writers[f].value != NULL)
        writers[f].value(of, &value);
    else
        return; /* a test fails if the fact is missing */
    if (value.len > 0 || !writers[f].optional)
        fact_add(out, f, text_get(&value));
    text_end(&value, out);
}

static void add_warnings(const struct warnings *w, struct text *out)
{
    for (size_t i = 0; i < w->count; i++)
        fact_add(out, FACT_WARNING, text_get(&w->lines[i]));
}

static void add_skipped(const struct params *p, struct text *out)
{
    for (size_t i = 0; i < p->suite_count; i++) {
        char label[SUITE_LABEL_SIZE];
        if (p->suites[i].skip != NULL)
            fact_addf(out, FACT_SKIPPED, "%s, %s", suite_label(&p->suites[i], label, sizeof(label)),
                      p->suites[i].skip);
    }
    for (size_t i = 0; i < p->skipped_count; i++) {
        const struct suite *s = &p->suites[p->suite_count + i];
        const struct capability_info *lacking = capability_first(suite_needs(p, s) & PROGRAM_LACKS);
        char label[SUITE_LABEL_SIZE];
        fact_addf(out, FACT_SKIPPED, "%s, %s", suite_label(s, label, sizeof(label)), lacking->text);
    }
}

void facts_header(const struct machine *m, const struct params *p, const struct warnings *w,
                  struct text *out)
{
    struct facts_of of = { .m = m, .p = p, .w = w };
    if (uname(&of.system) < 0)
        of.system = (struct utsname){ 0 };
    for (enum fact f = 0; f < FACT_COUNT; f++)
        if (f == FACT_WARNING)
            add_warnings(w, out);
        else if (f == FACT_SKIPPED)
            add_skipped(p, out);
        else if (fact_info(f)->place == FACT_OF_HEADER)
            add_fact(out, f, &of);
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

/* --- resumed runs and the trailer --- */

void facts_resumed(const struct machine *m, const struct warnings *w, struct text *out)
{
    text_add(out, "processes ");
    hosts_summary(&m->hosts, out);
    text_add(out, "\ntimer ");
    describe_timer(&m->clock, out);
    text_add(out, "\nclocks ");
    add_ways(&m->global, out);
    for (size_t i = 0; i < w->count; i++)
        text_add(out, "\nwarning %s", text_get(&w->lines[i]));
}

void facts_trailer(const struct machine *m, struct text *out)
{
    struct text shares = { 0 };
    double now_s = m->clock.now();
    shares_text(&m->shares, now_s, true, &shares);
    fact_addf(out, FACT_RESIDUAL, "%.6f %s", m->global.residual_s * 1e6,
              fact_info(FACT_RESIDUAL)->unit);
    fact_addf(out, FACT_WALLTIME, "%.3f %s, %s", now_s - m->shares.started_s,
              fact_info(FACT_WALLTIME)->unit, text_get(&shares));
    contention_run_facts(&m->contention, out);
    late_fact_add(out);
    text_end(&shares, out);
}
