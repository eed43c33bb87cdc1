#include "session/session.h"

#include "session/parameter_file.h"
#include "session/run_request_init.h"
#include "session/header_facts.h"
#include "clock/idle.h"
#include "patterns/p2p.h"
#include "patterns/suite.h"
#include "results/format.h"
#include "results/output.h"
#include "merge/postproc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LATENCIES_FEW = 16 };

static bool is_root(const struct session *s)
{
    return s->machine.rank == 0;
}

void session_init(struct session *s, const struct request *o, const struct registry *types)
{
    *s = (struct session){ .request = o, .types = types, .complete = true };
    s->machine.world = s->machine.control = MPI_COMM_NULL;
    MPI_Comm_rank(MPI_COMM_WORLD, &s->machine.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &s->machine.size);
}

void session_release(struct session *s)
{
    machine_release(&s->machine);
    watchdog_release(&s->watchdog);
    store_release(&s->store);
    free(s->order);
    warnings_release(&s->warnings);
    text_release(&s->file_warnings);
    params_release(&s->params);
}

/* Shares rank 0's status with the other ranks, which wait for it without spinning.
 */
static int share_status(struct session *s, int rc, struct err *e)
{
    struct {
        int rc;
        struct err e;
    } status = { rc, *e };
    idle_bcast(&s->machine.clock, &status, sizeof(status), s->machine.control);
    *e = status.e;
    return status.rc;
}

/* All ranks read the same text, but a rank may run out of memory. */
static int use(struct session *s, struct parameter_file *file, struct err *e)
{
    struct catalog catalog = registry_catalog(s->types);
    struct err other = { "" };
    int rc = parameter_file_use(file, &s->params, &catalog, s->machine.size);
    bool complained = rc != 0;
    rc = ranks_agree(MPI_COMM_WORLD, rc, &other);
    if (is_root(s)) {
        complaints_print(&file->complaints, &file->source, stderr);
        complaints_add_warnings(&file->complaints, &file->source, &s->file_warnings);
    }
    return rc != 0 && !complained ? err_set(e, "another process ran out of memory") : rc;
}

/* --machine */
static int name_machine(struct session *s, struct err *e)
{
    const char *machine = s->request->machine;
    if (machine == NULL)
        return 0;
    free(s->params.machine);
    s->params.machine = text_copy(machine, strlen(machine));
    return s->params.machine == NULL ? err_no_memory(e, strlen(machine)) : 0;
}

int session_read(struct session *s, struct err *e)
{
    struct parameter_file file;
    if (s->machine.size < 2)
        return err_set(e, "at least two processes are needed; start it with: mpirun -np 2 skampi");
    int rc = parameter_file_share(&file, s->request->file, MPI_COMM_WORLD, e);
    if (rc == 0 && is_root(s) && !s->request->quiet)
        parameter_file_announce(&file);
    if (rc == 0)
        rc = use(s, &file, e);
    if (rc == 0)
        rc = ranks_agree(MPI_COMM_WORLD, name_machine(s, e), e);
    parameter_file_release(&file);
    return rc;
}

static void print_lines(const char *lines)
{
    for (; *lines != '\0'; lines += strcspn(lines, "\n") + 1)
        fprintf(stderr, "skampi: %.*s\n", (int)strcspn(lines, "\n"), lines);
}

/* News about the user's files is printed even with --quiet. */
static void print_news(struct session *s)
{
    print_lines(text_get(&s->store.news));
    text_release(&s->store.news);
}

static const char *outfile_of(const struct session *s)
{
    return s->request->outfile != NULL ? s->request->outfile : s->params.outfile;
}

/* Reports in one line how the run starts. That a run is resumed is printed even with --quiet,
 * because it affects the results. */
static void print_start(const struct session *s, const struct run_request *start)
{
    const struct recovery *r = &s->store.recovery;
    struct text line = { 0 };
    recovery_describe(r, start, &line);
    if (s->store.kept.len > 0)
        text_add(&line, "; '%s' is kept as '%s'", start->out_path, text_get(&s->store.kept));
    if (r->fate == OUT_RESUME || !s->request->quiet)
        fprintf(stderr, "skampi: %s\n", text_get(&line));
    text_release(&line);
}

static int start_store(struct session *s, struct run_request *start, struct err *e)
{
    struct text header = { 0 }, facts = { 0 }, hosts = { 0 };
    facts_header(&s->machine, &s->params, &s->warnings, &header);
    facts_resumed(&s->machine, &s->warnings, &facts);
    hosts_summary(&s->machine.hosts, &hosts);
    start->header = text_get(&header);
    start->facts = text_get(&facts);
    start->hosts = text_get(&hosts);
    start->processes = s->machine.size;
    int rc = header.failed || facts.failed || hosts.failed ? err_no_memory(e, header.len)
                                                           : store_open(&s->store, start, e);
    if (rc == 0)
        print_start(s, start);
    print_news(s);
    text_release(&header);
    text_release(&facts);
    text_release(&hosts);
    return rc;
}

static int open_store(struct session *s, struct err *e)
{
    struct run_request start;
    int rc = run_request_init(&start, &s->params, s->request, e);
    if (rc == 0)
        rc = start_store(s, &start, e);
    if (rc == 0 && recovery_has_failures(&s->store.recovery, &start))
        s->complete = false;
    run_request_release(&start);
    return rc;
}

/* Ping-pong suites that let skampi choose the partner need the latencies of all processes. To check
 * the clock's resolution, a few are enough; thousands would take long. */
static int latencies_needed(const struct session *s)
{
    int few = s->machine.size < LATENCIES_FEW ? s->machine.size : LATENCIES_FEW;
    for (size_t i = 0; i < s->params.suite_count; i++) {
        const struct suite *suite = &s->params.suites[i];
        if ((suite->type->pattern->traits & PATTERN_ONE_PAIR) != 0 &&
            suite->options.partner != PARTNER_RANK)
            return s->machine.size;
    }
    return few;
}

static int find_warnings(struct session *s, struct err *e)
{
    const struct warning_facts facts = { .hosts = &s->machine.hosts,
                                         .clock = &s->machine.clock,
                                         .latency_us = s->machine.latency_us,
                                         .latencies = latencies_needed(s),
                                         .params = &s->params };
    return warnings_find(&s->warnings, &facts, e);
}

/* Warnings are printed even with --quiet. */
static void print_warnings(const struct warnings *w)
{
    for (size_t i = 0; i < w->count; i++)
        fprintf(stderr, "skampi: warning: %s\n", text_get(&w->lines[i]));
}

static int log_lines(struct session *s, const char *lines, struct err *e)
{
    struct text line = { 0 };
    int rc = 0;
    for (; *lines != '\0' && rc == 0; lines += strcspn(lines, "\n") + 1) {
        line.len = 0;
        text_add_bytes(&line, lines, strcspn(lines, "\n"));
        rc = store_note(&s->store, text_get(&line), e);
    }
    text_release(&line);
    return rc;
}

/* Writes the warnings to the log as well. */
static int log_warnings(struct session *s, struct err *e)
{
    struct text line = { 0 };
    int rc = log_lines(s, text_get(&s->file_warnings), e);
    for (size_t i = 0; i < s->warnings.count && rc == 0; i++) {
        line.len = 0;
        text_add(&line, "warning: %s", text_get(&s->warnings.lines[i]));
        rc = store_note(&s->store, text_get(&line), e);
    }
    text_release(&line);
    return rc;
}

static int init_watchdog(struct session *s, int log_fd, struct err *e)
{
    double limit_s = 60.0 * s->params.suite_timeout_minutes;
    return watchdog_init(&s->watchdog, limit_s, s->machine.rank, log_fd, e);
}

static int begin_as_root(struct session *s, struct err *e)
{
    const struct recovery *r = &s->store.recovery;
    if (find_warnings(s, e) != 0 || open_store(s, e) != 0 || log_warnings(s, e) != 0 ||
        init_watchdog(s, s->store.log_fd, e) != 0)
        return -1;
    print_warnings(&s->warnings);
    progress_init(&s->progress, &s->params, s->request->quiet, s->machine.clock.now);
    s->left = (int)r->left;
    for (size_t i = 0; i < r->left; i++) {
        s->order[i] = (int)r->order[i];
        progress_expect(&s->progress, &s->params, &s->params.suites[r->order[i]], s->machine.size);
    }
    return 0;
}

/* Only rank 0 knows which suites are left to measure. */
static void share_order(struct session *s)
{
    MPI_Bcast(&s->left, 1, MPI_INT, 0, s->machine.control);
    MPI_Bcast(s->order, s->left, MPI_INT, 0, s->machine.control);
}

int session_begin(struct session *s, struct err *e)
{
    if (machine_init(&s->machine, &s->params, e) != 0)
        return -1;
    p2p_latencies(&s->machine, latencies_needed(s));
    if (machine_check_clock(&s->machine, e) != 0)
        return -1;
    s->order = calloc(s->params.suite_count + 1, sizeof(*s->order));
    int rc = s->order == NULL ? err_no_memory(e, s->params.suite_count * sizeof(*s->order)) : 0;
    if (rc == 0 && !is_root(s))
        rc = init_watchdog(s, -1, e);
    if (ranks_agree(s->machine.control, rc, e) != 0 ||
        share_status(s, is_root(s) ? begin_as_root(s, e) : 0, e) != 0)
        return -1;
    share_order(s);
    return 0;
}

const struct suite *session_next(struct session *s)
{
    return s->next < s->left ? &s->params.suites[s->order[s->next++]] : NULL;
}

static int write_block(struct session *s, const char *label, const struct block *b, struct err *e)
{
    struct text text = { 0 };
    output_block(&text, b);
    int rc = text.failed ? err_no_memory(e, text.len)
                         : store_end_suite(&s->store, label, text_get(&text), e);
    print_news(s);
    text_release(&text);
    return rc;
}

static size_t empty_rows(const struct block *b)
{
    size_t empty = 0;
    for (size_t i = 0; i < b->count; i++)
        empty += b->rows[i].stats.cleaned.count == 0;
    return empty;
}

/* Explains why the exit status will be 1. */
static void print_empty_rows(const char *label, const struct block *b)
{
    size_t empty = empty_rows(b);
    if (empty > 0)
        fprintf(stderr,
                "skampi: %s: no result for %zu of %zu arguments: a process started late in every "
                "repetition\n",
                label, empty, b->count);
}

static int begin_suite(struct session *s, const struct suite *suite, const char *label,
                       struct err *e)
{
    if (!is_root(s))
        return 0;
    progress_begin_suite(&s->progress, &s->params, suite, s->machine.size);
    if (store_begin_suite(&s->store, label, e) != 0)
        return -1;
    return watchdog_arm(&s->watchdog, label, e);
}

/* why is empty if the suite could be measured. */
static int end_suite(struct session *s, const char *label, const struct block *b,
                     const struct err *why, struct err *e)
{
    if (!is_root(s))
        return 0;
    watchdog_disarm(&s->watchdog);
    progress_end_suite(&s->progress);
    if (!err_is_set(why)) {
        print_empty_rows(label, b);
        return write_block(s, label, b, e);
    }
    fprintf(stderr, "skampi: %s: %s\n", label, why->text);
    return store_fail_suite(&s->store, label, why->text, e);
}

/* The other ranks watch rank 0, too: while it writes, and while all ranks measure. A rank that runs
 * out of memory here does not watch this suite. */
static void watch_rank_0(struct session *s, const char *label)
{
    struct err e = { "" };
    if (!is_root(s))
        watchdog_arm(&s->watchdog, label, &e);
}

int session_measure(struct session *s, const struct suite *suite, struct err *e)
{
    const struct suite_job job = { .machine = &s->machine,
                                   .params = &s->params,
                                   .suite = suite,
                                   .op = registry_op(s->types, suite->type),
                                   .dummy = registry_dummy(s->types, suite->type->pattern),
                                   .tell = progress_argument,
                                   .context = &s->progress };
    struct err why = { "" };
    struct block block;
    char label[SUITE_LABEL_SIZE];
    suite_label(suite, label, sizeof(label));
    watch_rank_0(s, label);
    if (share_status(s, begin_suite(s, suite, label, e), e) != 0)
        return -1;
    watch_rank_0(s, label);
    if (suite_measure(&job, &block, &why) != 0 || empty_rows(&block) > 0)
        s->complete = false;
    watch_rank_0(s, label);
    int rc = end_suite(s, label, &block, &why, e);
    block_release(&block);
    rc = share_status(s, rc, e);
    watchdog_disarm(&s->watchdog);
    return rc;
}

static void print_end(struct session *s)
{
    struct text shares = { 0 };
    facts_shares(&s->machine, &shares);
    progress_end(&s->progress, outfile_of(s), text_get(&shares));
    text_release(&shares);
}

/* Reports what happened to each file: in full in the log, in short to the user. */
static int report_merge(struct session *s, struct merge_report *merged, struct err *e)
{
    struct text each = { 0 }, in_short = { 0 };
    merge_report_all(merged, &each);
    merge_report_summary(merged, &in_short);
    if (!s->request->quiet)
        print_lines(text_get(&in_short));
    int rc = log_lines(s, text_get(&each), e);
    text_release(&each);
    text_release(&in_short);
    return rc;
}

/* Merges this run with earlier ones. */
static int postprocess(struct session *s, struct err *e)
{
    struct merge_report merged = { 0 };
    struct err log = { "" }, why = { "" };
    if (!s->params.postproc)
        return 0;
    int rc = postproc_finish(outfile_of(s), &merged, &why);
    if (rc != 0)
        err_set(e, "this run is complete, but not merged with earlier ones: %s", why.text);
    if (report_merge(s, &merged, &log) != 0)
        rc = err_set(e, "%s", log.text);
    merge_report_release(&merged);
    return store_end_merge(&s->store, rc == 0 ? e : &log) == 0 ? rc : -1;
}

int session_finish(struct session *s, struct err *e)
{
    struct text trailer = { 0 };
    int rc = 0;
    if (is_root(s)) {
        facts_trailer(&s->machine, &trailer);
        format_trailer(&trailer, false);
        rc = store_finish(&s->store, text_get(&trailer), s->params.postproc, e);
        print_news(s);
        rc = rc == 0 ? postprocess(s, e) : rc;
        text_release(&trailer);
    }
    if (share_status(s, rc, e) != 0)
        return -1;
    if (is_root(s))
        print_end(s);
    return 0;
}
