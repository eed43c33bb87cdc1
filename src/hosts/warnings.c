#include "hosts/warnings.h"

#include "model/argument_range.h"
#include "model/parameters.h"
#include "hosts/gpu.h"
#include "hosts/job.h"
#include "hosts/places.h"
#include "clock/clock.h"

struct concerned {
    int first, count;
};

typedef bool rank_test(const struct hosts *h, int rank);

/* "rank 0 on host a and 3 others" */
static void add_concerned(const struct hosts *h, struct concerned c, struct text *out)
{
    text_add(out, "rank %d on host %s", c.first, h->ranks[c.first].host);
    if (c.count > 1)
        text_add(out, " and %d other%s", c.count - 1, c.count == 2 ? "" : "s");
}

/* Defines a test of a rank. */
#define RANK_TEST(test, ...)                                                                       \
    static bool test(const struct hosts *h, int rank)                                              \
    {                                                                                              \
        return __VA_ARGS__;                                                                        \
    }

RANK_TEST(is_crowded, h->verdicts[rank].crowd.processes > 0)
RANK_TEST(is_first_in_crowd, is_crowded(h, rank) && h->verdicts[rank].first_on_host)

/* Binding does not help if CPUs are too few. */
RANK_TEST(is_unbound, h->ranks[rank].cores > 1 && !is_crowded(h, rank))
RANK_TEST(shares_core, h->verdicts[rank].shares_core && !is_crowded(h, rank))

static void explain_crowds(const struct warning_facts *f, struct concerned c, struct text *out)
{
    struct crowd crowd = f->hosts->verdicts[c.first].crowd;
    text_add(out, "%d processes share %d CPU%s on host %s", crowd.processes, crowd.cpus,
             plural(crowd.cpus), f->hosts->ranks[c.first].host);
    if (c.count > 1)
        text_add(out, " (too few also on %d other host%s)", c.count - 1, c.count == 2 ? "" : "s");
    text_add(out, "; start fewer per host, or let them use more of its CPUs");
}

static void explain_directory(const struct warning_facts *f, struct concerned c, struct text *out)
{
    /* Network file systems: their types, or how these begin. */
    static const char types[] = "nfs lustre gpfs beegfs ceph cifs smb3 panfs afs 9p fuse";
    if (f->file_system != NULL && text_begins(f->file_system, types))
        text_add(
            out,
            "the MPI library's files of this run, which may be its shared memory, are in %s, on "
            "a network file system (%s); set TMPDIR to a local directory",
            f->directory, f->file_system);
}

static void explain_binding(const struct warning_facts *f, struct concerned c, struct text *out)
{
    add_concerned(f->hosts, c, out);
    text_add(out, " can be moved from core to core; start with %s", launcher_get()->core);
}

static void explain_cores(const struct warning_facts *f, struct concerned c, struct text *out)
{
    add_concerned(f->hosts, c, out);
    text_add(out, " are bound to cores that they share; give each its own: %s",
             launcher_get()->each);
}

RANK_TEST(has_slow_governor, h->ranks[rank].governor[0] != '\0' &&
                                 strcmp(h->ranks[rank].governor, SYSTEM_GOVERNOR_WANTED) != 0)

static void explain_governors(const struct warning_facts *f, struct concerned c, struct text *out)
{
    text_add(out, "CPU frequencies are governed by '%s' for ", f->hosts->ranks[c.first].governor);
    add_concerned(f->hosts, c, out);
    text_add(out, ", so times depend on what ran before; "
                  "as root: cpupower frequency-set -g " SYSTEM_GOVERNOR_WANTED);
}

RANK_TEST(has_slow_clock, h->ranks[rank].has_tsc && h->ranks[rank].clocksource[0] != '\0' &&
                              strcmp(h->ranks[rank].clocksource, "tsc") != 0)

static void explain_clocks(const struct warning_facts *f, struct concerned c, struct text *out)
{
    text_add(out, "it is '%s', not 'tsc', for ", f->hosts->ranks[c.first].clocksource);
    add_concerned(f->hosts, c, out);
    text_add(out,
             "; each reading, %.3f us on rank 0, is part of every time; "
             "as root: echo tsc > " SYSTEM_DIRECTORY SYSTEM_CLOCKSOURCE
             ", or boot with tsc=reliable",
             f->clock->cost_s * 1e6);
}

/* A duration that is read from a clock with ticks is wrong by up to one tick. Over many repetitions
 * that averages out only if they start anywhere between two ticks and none are cut off. But
 * synchronised ones start right after a tick, a loop may keep step with the clock, and Cut_Quantile
 * leaves the commonest reading: then the mean is wrong, and a standard error near 0 does not show
 * it. So a tick must not be longer than the error allowed for the shortest time, however many
 * repetitions follow. A step of up to two calls is the cost of a call: the tick cannot be seen. */
static void explain_tick(const struct warning_facts *f, struct concerned c, struct text *out)
{
    double tick_us = f->clock->tick_s * 1e6, cost_us = f->clock->cost_s * 1e6;
    const struct params *p = f->params;
    double error = INFINITY, fastest = INFINITY;
    /* The smallest Standard_error of suites that time single calls and ask for an accuracy. Local
     * operations are batched until they dwarf the tick; an error of 0 only asks for all
     * repetitions. */
    for (const struct suite *s = p->suites; s < p->suites + p->suite_count; s++)
        if ((s->type->pattern->traits & PATTERN_LOCAL) == 0 && s->standard_error > 0.0)
            error = fmin(error, s->standard_error);
    for (int i = 1; i < f->latencies; i++)
        fastest = fmin(fastest, f->latency_us[i]);
    if (isinf(error) || tick_us <= 2.0 * cost_us || tick_us <= error * fastest)
        return;
    text_add(out,
             "MPI_Wtime advances in steps of %.3f us, more than a Standard_error of %g allows "
             "for the fastest ping-pong, read as %.3f us; rely on times above %.1f us only",
             tick_us, error, fastest, tick_us / error);
}

static void explain_rate(const struct warning_facts *f, struct concerned c, struct text *out)
{
    if (f->wtime_rate != 1.0)
        text_add(out,
                 "it runs at %.3f of the rate of the system's clock, so skampi goes by "
                 "CLOCK_MONOTONIC; other programs' times by MPI_Wtime are wrong by this factor",
                 f->wtime_rate);
}

static void explain_gpu(const struct warning_facts *f, struct concerned c, struct text *out)
{
    if (f->shared_gpu != NULL)
        text_add(out,
                 "%d processes share a GPU (%s); without a service such as MPS they take turns on "
                 "it, and short copies and messages take many times as long; start one process "
                 "for each GPU",
                 f->sharing, f->shared_gpu->name);
}

static void explain_threads(const struct warning_facts *f, struct concerned c, struct text *out)
{
    const struct params *p = f->params;
    long most = 1;
    for (const struct suite *s = p->suites; s < p->suites + p->suite_count; s++)
        if (s->skip == NULL && suite_has_threads(s)) {
            long last = suite_varies(s, threads) ? suite_range(p, s, f->hosts->processes).last
                                                 : s->options.threads;
            most = last > most ? last : most;
        }
    int cpus = f->hosts->cpus_each;
    if (cpus > 0 && most > cpus)
        text_add(
            out,
            "suites have up to %ld threads per process, but a process has %d CPU%s, so threads "
            "wait for each other; start fewer processes per host, or bind each to more CPUs: "
            "%s",
            most, cpus, plural(cpus), launcher_get()->free);
}

static const struct warning_row {
    const char *kind, *name;
    rank_test *is_concerned; /* by a warning about ranks; NULL: it is not about ranks */
    /* Adds nothing if the machine needs no warning. */
    void (*explain)(const struct warning_facts *f, struct concerned c, struct text *out);
} rows[] = {
    { "warning", "oversubscribed", is_first_in_crowd, explain_crowds },
    { "note", "not bound", is_unbound, explain_binding },
    { "warning", "shared core", shares_core, explain_cores },
    { "warning", "governor", has_slow_governor, explain_governors },
    { "warning", "clock source", has_slow_clock, explain_clocks },
    { "warning", "clock tick", NULL, explain_tick },
    { "warning", "MPI_Wtime", NULL, explain_rate },
    { "warning", "shared GPU", NULL, explain_gpu },
    { "warning", "threads", NULL, explain_threads },
    { "warning", "session directory", NULL, explain_directory },
};

enum { ROW_COUNT = sizeof(rows) / sizeof(*rows) };
_Static_assert((int)ROW_COUNT < (int)MAX_WARNINGS, "one line per row");

void warnings_find(struct warnings *w, const struct warning_facts *f)
{
    *w = (struct warnings){ .count = 0 };
    for (size_t i = 0; i < ROW_COUNT; i++) {
        LOCAL_TEXT found = { 0 };
        struct concerned c = { 0, 0 };
        for (int k = 0; rows[i].is_concerned != NULL && k < f->hosts->processes; k++)
            if (rows[i].is_concerned(f->hosts, k) && c.count++ == 0)
                c.first = k;
        if (rows[i].is_concerned == NULL || c.count > 0)
            rows[i].explain(f, c, &found);
        w->kinds[w->count] = rows[i].kind;
        if (found.len > 0)
            text_add(&w->lines[w->count++], "%s: %s", rows[i].name, text_get(&found));
    }
}

void warnings_release(struct warnings *w)
{
    for (size_t i = 0; i < w->count; i++)
        text_release(&w->lines[i]);
    *w = (struct warnings){ .count = 0 };
}
