/* The life of a run: parameter file -> machine -> suite after suite -> results. */
#include "cli/inform.h"
#include "cli/parameter_file.h"
#include "cli/progress.h"
#include "machine/facts.h"
#include "measure/idle.h"
#include "patterns/p2p.h"
#include "patterns/suite.h"
#include "results/store.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { STATUS_DONE = 0, STATUS_INCOMPLETE = 1, STATUS_USAGE = 2 };

/* What a run holds; store and progress on rank 0 only. */
struct session {
    const struct options *options;
    const struct registry *types;
    struct params params;
    struct machine machine;
    struct store store;
    struct progress progress;
    int status;
};

static void complain(const struct session *s, const char *what, const struct err *e)
{
    if (s->machine.rank == 0)
        fprintf(stderr, "skampi: %s%s%s\n", what, what[0] == '\0' ? "" : ": ", e->text);
}

/* Rank 0 alone writes; all others learn whether the run goes on. */
static bool goes_on(struct session *s, int rc)
{
    int on = rc == 0;
    idle_bcast(&s->machine.clock, &on, sizeof(on), s->machine.control);
    return on != 0;
}

static const char *outfile_of(const struct session *s)
{
    return s->options->outfile != NULL ? s->options->outfile : s->params.outfile;
}

static int read_parameters(struct session *s, int processes)
{
    struct parameter_file file;
    struct catalog catalog = registry_catalog(s->types);
    struct err e = { "" };
    int rc = parameter_file_share(&file, s->options->file, MPI_COMM_WORLD, &e);
    if (rc != 0 && s->machine.rank == 0)
        parameter_file_complain(&file, &e);
    if (rc == 0)
        rc = parameter_file_use(&file, &s->params, &catalog, processes);
    if (s->machine.rank == 0)
        complaints_print(&file.complaints, &file.source, stderr);
    parameter_file_release(&file);
    return rc;
}

static int open_store(struct session *s, struct err *e)
{
    struct text header = { 0 };
    if (s->machine.rank != 0)
        return 0;
    facts_header(&s->machine, &s->params, &header);
    int rc = store_open(&s->store, outfile_of(s), s->params.logfile, text_get(&header), e);
    text_release(&header);
    return rc;
}

/* Ping-pong suites that leave the choice of the partner to us need all latencies. */
static void find_latencies(struct session *s)
{
    for (size_t i = 0; i < s->params.suite_count; i++) {
        const struct suite *suite = &s->params.suites[i];
        if (suite->type->pattern == PATTERN_P2P && suite->extras.partner != PARTNER_RANK) {
            p2p_latencies(&s->machine);
            return;
        }
    }
}

static int write_block(struct session *s, const char *label, const struct block *b, struct err *e)
{
    struct text text = { 0 };
    output_block(&text, b);
    int rc = text.failed ? err_no_memory(e, text.len)
                         : store_end_suite(&s->store, label, text_get(&text), e);
    text_release(&text);
    return rc;
}

/* A suite that cannot be measured is noted, and the run goes on. Returns -1 if nothing can be
 * written any more. */
static int run_suite(struct session *s, const struct suite *suite, struct err *e)
{
    const struct op *op = registry_op(s->types, suite->type);
    struct suite_job job = {
        &s->machine,       &s->params,  suite, op, registry_dummy(s->types, suite->type->pattern),
        progress_argument, &s->progress
    };
    struct err of_suite = { "" };
    struct block block;
    char label[256];
    int rc = 0;
    suite_label(suite, label, sizeof(label));
    if (s->machine.rank == 0)
        rc = store_begin_suite(&s->store, label, e);
    if (!goes_on(s, rc))
        return -1;
    bool measured = suite_measure(&job, &block, &of_suite) == 0;
    if (!measured)
        s->status = STATUS_INCOMPLETE;
    if (s->machine.rank == 0 && !measured) {
        complain(s, label, &of_suite);
        rc = store_note(&s->store, of_suite.text, e);
    }
    if (s->machine.rank == 0 && measured)
        rc = write_block(s, label, &block, e);
    block_release(&block);
    return goes_on(s, rc) ? 0 : -1;
}

static int finish(struct session *s, struct err *e)
{
    struct text trailer = { 0 };
    if (s->machine.rank != 0)
        return 0;
    output_trailer(&trailer);
    int rc = store_finish(&s->store, text_get(&trailer), e);
    text_release(&trailer);
    return rc;
}

static void warn(const struct session *s)
{
    if (s->machine.rank == 0 && s->machine.hosts.oversubscribed)
        fputs("skampi: warning: oversubscribed, more processes than CPUs on a host; "
              "start fewer per host\n",
              stderr);
}

static int measure_all(struct session *s)
{
    struct err e = { "" };
    int rc = 0;
    bool root = s->machine.rank == 0;
    if (!goes_on(s, open_store(s, &e))) {
        complain(s, "", &e);
        return STATUS_INCOMPLETE;
    }
    warn(s);
    find_latencies(s);
    if (root)
        progress_init(&s->progress, &s->params, s->machine.size, s->options->quiet,
                      s->machine.clock.now);
    for (size_t i = 0; i < s->params.suite_count && rc == 0; i++) {
        if (root)
            progress_begin_suite(&s->progress, &s->params, &s->params.suites[i], s->machine.size);
        rc = run_suite(s, &s->params.suites[i], &e);
        if (root)
            progress_end_suite(&s->progress);
    }
    if (rc == 0 && !goes_on(s, finish(s, &e)))
        rc = -1;
    if (rc != 0)
        complain(s, "", &e);
    if (rc == 0 && root)
        progress_end(&s->progress, outfile_of(s));
    return rc != 0 ? STATUS_INCOMPLETE : s->status;
}

static int run(const struct options *o, const struct registry *types)
{
    struct session s = { .options = o, .types = types };
    struct err e = { "" };
    int processes, status = STATUS_USAGE;
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    MPI_Comm_rank(MPI_COMM_WORLD, &s.machine.rank);
    if (processes < 2) {
        err_set(&e, "at least two processes are needed; start it with: mpirun -np 2 skampi");
        complain(&s, "", &e);
        return STATUS_USAGE;
    }
    if (read_parameters(&s, processes) == 0) {
        status = STATUS_INCOMPLETE;
        if (machine_init(&s.machine, &s.params, &e) != 0)
            complain(&s, "", &e);
        else
            status = measure_all(&s);
        machine_release(&s.machine);
    }
    store_release(&s.store);
    params_release(&s.params);
    return status;
}

int main(int argc, char **argv)
{
    struct registry types;
    struct options options;
    struct err e = { "" };
    if (registry_init(&types, &e) != 0 || options_read(&options, argc, argv, &e) != 0) {
        if (launcher_rank() == 0)
            fprintf(stderr, "skampi: %s\n", e.text);
        return STATUS_USAGE;
    }
    if (options.action != ACTION_MEASURE)
        return launcher_rank() == 0 ? inform(&options, &types) : 0;
    MPI_Init(&argc, &argv);
    int status = run(&options, &types);
    MPI_Finalize();
    return status;
}
