#include "session/header_facts.h"

#include "context/library.h"
#include "model/capabilities.h"
#include "results/environment.h"
#include "results/output.h"

#include <stdlib.h>
#include <sys/utsname.h>
#include <time.h>

extern char **environ;

static void add_texts(const struct params *p, struct text *out)
{
    const struct {
        const char *name, *value;
    } rows[] = {
        { "COMMENT", p->comment },       { "MACHINE", p->machine },        { "NODE", p->node },
        { "NETWORK", p->network },       { "MPIVERSION", p->mpi_version }, { "USER", p->user },
        { "NAMEOFRUN", p->name_of_run },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        output_field(out, rows[i].name, rows[i].value);
}

static void add_system(struct text *out)
{
    struct utsname system;
    char host[MPI_MAX_PROCESSOR_NAME + 1] = "";
    int len;
    output_field(out, "SKAMPIVERSION", SKAMPI_VERSION);
    if (uname(&system) < 0)
        return;
    MPI_Get_processor_name(host, &len);
    output_field(out, "OSNAME", system.sysname);
    output_field(out, "OSRELEASE", system.release);
    output_field(out, "OSVERSION", system.version);
    output_field(out, "HOSTNAME", host);
    output_field(out, "ARCHITECTURE", system.machine);
}

static void add_date(struct text *out)
{
    char date[64] = "";
    time_t now = time(NULL);
    struct tm broken_down;
    if (localtime_r(&now, &broken_down) != NULL)
        strftime(date, sizeof(date), "%a %b %e %H:%M:%S %Y", &broken_down);
    output_field(out, "DATE", date);
}

/* The library says more than a line about itself; the first one names it. */
static void add_library(struct text *out)
{
    char library[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int len, version, subversion;
    char standard[32];
    MPI_Get_library_version(library, &len);
    MPI_Get_version(&version, &subversion);
    snprintf(standard, sizeof(standard), "%d.%d", version, subversion);
    output_field(out, "MPILIBRARY", library);
    output_field(out, "MPISTANDARD", standard);
}

static void add_places(struct text *out, const char *name, const struct hosts *h,
                       void (*tell)(const struct hosts *h, struct text *out))
{
    struct text value = { 0 };
    tell(h, &value);
    output_field(out, name, text_get(&value));
    text_release(&value);
}

static void add_hosts(const struct machine *m, struct text *out)
{
    struct text value = { 0 };
    text_add(&value, "%d", m->size);
    output_field(out, "PROCESSES", text_get(&value));
    text_release(&value);
    add_places(out, "PROCESSESPERHOST", &m->hosts, hosts_summary);
    output_field(out, "OVERSUBSCRIBED", m->hosts.oversubscribed ? "yes" : "no");
    hosts_hardware(&value);
    output_field(out, "HARDWARE", text_get(&value));
    text_release(&value);
    add_places(out, "BINDING", &m->hosts, hosts_binding);
    add_places(out, "GOVERNOR", &m->hosts, hosts_governors);
    add_places(out, "CLOCKSOURCE", &m->hosts, hosts_clocksources);
}

static void describe_timer(const struct clock *c, struct text *out)
{
    text_add(out, "MPI_Wtime, tick %.6f microsec., cost %.6f microsec. per call", c->tick_s * 1e6,
             c->cost_s * 1e6);
}

static void add_timer(const struct clock *c, struct text *out)
{
    struct text value = { 0 };
    describe_timer(c, &value);
    output_field(out, "TIMER", text_get(&value));
    text_release(&value);
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

static void add_global_clock(const struct machine *m, struct text *out)
{
    struct text value = { 0 };
    add_ways(&m->global, &value);
    output_field(out, "GLOBALCLOCK", text_get(&value));
    text_release(&value);
    text_add(&value, "%.6f s", m->global.spent_s);
    output_field(out, "SYNCHRONISED", text_get(&value));
    text_release(&value);
    text_add(&value,
             "%.6f microsec., the middle half of %d starts from %.6f microsec. to %.6f microsec.",
             m->start_skew.median_us, START_SKEW_STARTS, m->start_skew.p25_us,
             m->start_skew.p75_us);
    output_field(out, "STARTSKEW", text_get(&value));
    text_release(&value);
}

static void add_cache(const struct params *p, struct text *out)
{
    bool warm = false, cold = false;
    for (size_t i = 0; i < p->suite_count; i++) {
        warm = warm || p->suites[i].options.cache == CACHE_WARM;
        cold = cold || p->suites[i].options.cache == CACHE_COLD;
    }
    output_field(out, "CACHE",
                 warm && cold ? "warm, cold where a suite says so"
                 : cold       ? "cold"
                              : "warm");
}

static void add_skipped(const struct params *p, struct text *out)
{
    for (size_t i = 0; i < p->skipped_count; i++) {
        const struct suite *s = &p->suites[p->suite_count + i];
        const struct capability_info *lacking = capability_first(suite_needs(p, s) & LIBRARY_LACKS);
        char label[SUITE_LABEL_SIZE];
        struct text value = { 0 };
        text_add(&value, "%s, the MPI library lacks %s", suite_label(s, label, sizeof(label)),
                 lacking->text);
        output_field(out, "SKIPPED", text_get(&value));
        text_release(&value);
    }
}

static void add_parameters(const struct params *p, struct text *out)
{
    struct text value = { 0 };
    output_field(out, "ABSOLUTE", p->absolute ? "yes" : "no");
    params_echo_sections(p, &value);
    output_field(out, "PARAMETERS", text_get(&value));
    text_release(&value);
    for (size_t i = 0; i < p->suite_count; i++) {
        params_echo_suite(p, &p->suites[i], &value);
        text_add(&value, "%s", i + 1 < p->suite_count ? "\n" : "");
    }
    output_field(out, "SUITES", text_get(&value));
    text_release(&value);
}

static void add_environment(struct text *out)
{
    struct text value = { 0 };
    environment_add(&value, environ);
    output_field(out, "ENVIRONMENT", text_get(&value));
    text_release(&value);
}

static void add_job(struct text *out)
{
    static const char *const ids[] = { "SLURM_JOB_ID", "PBS_JOBID",    "LSB_JOBID",
                                       "JOB_ID",       "COBALT_JOBID", "FLUX_JOB_ID" };
    const char *id = NULL;
    for (size_t i = 0; i < sizeof(ids) / sizeof(*ids) && id == NULL; i++)
        id = getenv(ids[i]);
    output_field(out, "JOBID", id == NULL ? "none" : id);
}

static double percent(double part, double whole)
{
    return whole > 0.0 ? 100.0 * part / whole : 0.0;
}

static double seconds_so_far(const struct machine *m)
{
    return m->clock.now() - m->shares.started_s;
}

void facts_shares(const struct machine *m, struct text *out)
{
    double all_s = seconds_so_far(m);
    text_add(out, "%.1f %% measuring, %.1f %% synchronising, %.1f %% waiting",
             percent(m->shares.timed_s, all_s), percent(m->global.spent_s, all_s),
             percent(m->shares.waiting_s, all_s));
}

void facts_trailer(const struct machine *m, struct text *out)
{
    struct text value = { 0 };
    text_add(&value, "%.6f microsec.", m->global.worst_s * 1e6);
    output_field(out, "RESIDUAL", text_get(&value));
    text_release(&value);
    text_add(&value, "%.3f s, ", seconds_so_far(m));
    facts_shares(m, &value);
    output_field(out, "WALLTIME", text_get(&value));
    text_release(&value);
}

static void add_warnings(const struct warnings *w, struct text *out)
{
    for (size_t i = 0; i < w->count; i++)
        output_field(out, "WARNING", text_get(&w->lines[i]));
}

void facts_header(const struct machine *m, const struct params *p, const struct warnings *w,
                  struct text *out)
{
    add_texts(p, out);
    add_system(out);
    add_date(out);
    add_library(out);
    add_hosts(m, out);
    add_timer(&m->clock, out);
    add_global_clock(m, out);
    add_warnings(w, out);
    add_skipped(p, out);
    add_cache(p, out);
    add_job(out);
    add_parameters(p, out);
    add_environment(out);
}

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
