#include "session/session.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "context/library.h"
#include "hosts/fault.h"
#include "ops/registry.h"
#include "session/header_facts.h"
#include "session/parameter_file.h"
#include "base/page_cache.h"
#include "patterns/pattern.h"

/* The part of @TIMERUN after which no argument begins: verifying and writing take some time. */
static const double MEASURING = 0.9;

/* A suite that goes on much longer than that hangs. */
static const double HANGING = 2.0, HANGING_LEAST_S = 10.0;

static int start_store(struct session *s, struct run_request *start, struct err *e)
{
    LOCAL_TEXT header = { 0 }, facts = { 0 }, hosts = { 0 };
    if (request_has_header(s->request))
        facts_header(&s->resources, &s->params, &s->warnings, &header);
    facts_shuffle(start, &header);
    facts_resumed(&s->resources, &s->warnings, &facts);
    hosts_summary(&s->resources.hosts, &hosts);
    start->header = text_get(&header);
    start->facts = text_get(&facts);
    start->faults = text_get(&s->faults);
    start->hosts = text_get(&hosts);
    start->processes = s->resources.size;
    int rc = store_open(&s->store, start, e);
    if (rc == 0)
        session_print_start(s, start);
    session_print_news(s);
    return rc;
}

static int open_store(struct session *s, struct err *e)
{
    struct run_request start;
    int *visits;
    allocated_array(&visits, s->params.suite_count);
    for (size_t i = 0; i < s->params.suite_count; i++)
        visits[i] = visits_count(&s->params.suites[i], s->resources.size);
    run_request_init(&start, &s->params, s->request);
    start.visits = visits;
    int rc = start_store(s, &start, e);
    s->params.order_seed = s->store.recovery.resumes ? s->store.recovery.past.seed : start.seed;
    if (rc == 0 && recovery_has_failures(&s->store.recovery, &start))
        s->complete = false;
    run_request_release(&start);
    free(visits);
    return rc;
}

/* Ping-pong suites that let skampi choose the partner need the latencies of all processes. To check
 * the clock's resolution, a few are enough; thousands would take long. */
static int latencies_needed(const struct session *s)
{
    enum { LATENCIES_FEW = 16 };
    for (size_t i = 0; i < s->params.suite_count; i++) {
        const struct suite *suite = &s->params.suites[i];
        if ((suite->type->pattern->traits & PATTERN_ONE_PAIR) != 0 &&
            suite->options.partner != PARTNER_RANK)
            return s->resources.size;
    }
    return s->resources.size < LATENCIES_FEW ? s->resources.size : LATENCIES_FEW;
}

int session_learn_machine(struct session *s, struct err *e)
{
    int latencies = latencies_needed(s);
    struct resources *res = &s->resources;
    const struct duet duet = res->duet;
    if (resources_init(res, &s->params, s->started_s, e) != 0)
        return -1;
    res->duet = duet;
    res->place = &s->place;
    MPI_Reduce(&s->init_s, &res->init_s, 1, MPI_DOUBLE, MPI_MAX, 0, res->control);
    resources_enter(res, ACTIVITY_PARTNERS);
    resources_latencies(res, latencies);
    resources_enter(res, ACTIVITY_STARTING);
    if (resources_check_clock(res, e) != 0)
        return -1;
    LOCAL_TEXT file_system = { 0 };
    page_cache_add_file_system(system_session_directory(), &file_system);
    const struct warning_facts facts = { .hosts = &res->hosts,
                                         .clock = &res->clock,
                                         .wtime_rate = res->wtime_rate,
                                         .latency_us = res->latency_us,
                                         .latencies = latencies,
                                         .params = &s->params,
                                         .shared_gpu =
                                             res->devices.most_sharing > 1
                                                 ? &res->devices.list[res->devices.shared_by]
                                                 : NULL,
                                         .sharing = res->devices.most_sharing,
                                         .directory = system_session_directory(),
                                         .file_system = text_get(&file_system) };
    if (res->rank == 0)
        warnings_find(&s->warnings, &facts);
    return 0;
}

int session_take(struct session *s, const struct text *parameters, const char *of, struct err *e)
{
    struct catalog catalog = registry_catalog(s->types);
    struct parameter_file file = { .source = { of, text_get(parameters), parameters->len },
                                   .comm = MPI_COMM_WORLD,
                                   .request = s->request };
    int rc = parameter_file_use(&file, &s->params, &catalog, s->resources.size);
    if (rc != 0 && session_is_root(s))
        parameter_file_complain(&file, stderr);
    file.source.bytes = NULL;
    parameter_file_release(&file);
    if (rc != 0)
        return err_set(e, "the parameters of %s cannot be used", of);
    return session_learn_machine(s, e);
}

static int init_watchdog(struct session *s, struct err *e)
{
    double limit_s = 60.0 * s->params.suite_timeout_minutes;
    const bool by_run = limit_s == 0.0 && params_are_timed(&s->params) && !LIBRARY_IS_SIMULATED;
    if (by_run)
        limit_s = 60.0 * HANGING * s->params.time_run_minutes + HANGING_LEAST_S;
    if (s->resources.duet.on) /* also while the other run measures */
        limit_s *= 2.0;
    const int rank = s->resources.rank;
    bool silent = LIBRARY_IS_SIMULATED || rank >= WATCHDOG_RANKS;
    struct watchdog *both[] = { &s->watchdog, &s->silence };
    if (watchdog_init(both[0], limit_s, rank, e) != 0 ||
        watchdog_init(both[1], silent ? 0.0 : -1.0, rank, e) != 0)
        return -1;
    if (by_run)
        s->watchdog.limit = s->request->seconds != NULL ? "-t permits" : "@TIMERUN permits";
    for (int i = 0; i < 2; i++) {
        both[i]->rows = &s->rows;
        both[i]->keeps = request_keeps_files(s->request);
        if (rank != 0)
            continue;
        both[i]->journal_fd = s->store.logs.journal_fd;
        both[i]->log_fd = s->store.logs.log_fd;
        both[i]->rows_fd = s->store.out_path == NULL ? STDOUT_FILENO : both[i]->journal_fd;
    }
    return 0;
}

static int begin_as_root(struct session *s, struct err *e)
{
    const struct recovery *r = &s->store.recovery;
    if (usual_begin(s, e) != 0 || open_store(s, e) != 0 || session_report_warnings(s, e) != 0 ||
        init_watchdog(s, e) != 0)
        return -1;
    rows_begin(s);
    if (s->view.on)
        s->watchdog.add_last = s->request->json ? rows_add_json_stopped : rows_add_stopped;
    if (file_flush_output(e) != 0)
        return -1;
    progress_init(&s->progress, &s->outlook, s->request->quiet || s->view.on,
                  s->resources.clock.now);
    for (size_t i = 0; i < r->left; i++) {
        const struct suite *suite = &s->params.suites[r->order[i]];
        if (suite->skip != NULL) { /* it was warned of */
            rows_miss(s, "%s: %s", label_of(suite), suite->skip);
            if (s->request->own_suites) {
                missing_skip(&s->missing, suite);
                s->complete = false;
            }
            if (store_log(&s->store, LOG_SUITE_SKIPPED, e, "%s %s", label_of(suite), suite->skip) !=
                0)
                return -1;
            continue;
        }
        rounds_add(&s->rounds, r->order[i],
                   r->past.suites == NULL || r->past.suites[r->order[i]].crashes == 0);
        progress_expect(&s->progress, r->order[i], journal_passes(&r->past, r->order[i]));
    }
    for (size_t i = 0; i < s->params.suite_count; i++) {
        const struct past *past = session_past(s, &s->params.suites[i]);
        if (past->state != SUITE_GIVEN_UP || past->passes.len == 0)
            continue; /* has no rows to be written */
        rounds_add(&s->rounds, i, false);
        progress_expect(&s->progress, i, visits_count(&s->params.suites[i], 2));
    }
    return 0;
}

/* Does the library make the same call, with such messages in the same memory? */
static bool is_like(const struct suite *s, const struct suite *ended)
{
    const struct suite_options *x = &s->options, *y = &ended->options;
    return s->type == ended->type && s->variation == ended->variation &&
           s->send_datatype == ended->send_datatype &&
           s->receive_datatype == ended->receive_datatype && x->send_in == y->send_in &&
           x->receive_in == y->receive_in && x->staged == y->staged && x->method == y->method &&
           x->op == y->op && x->memory == y->memory && x->sync == y->sync &&
           strcmp(x->algorithm, y->algorithm) == 0;
}

/* Reads what ended an earlier launch: a line for each suite that would end this one, too. */
static void read_faults(struct session *s)
{
    const struct resources *res = &s->resources;
    const struct params *p = &s->params;
    char fault[FAULT_SIZE];
    if (!params_use_gpu(p) || !request_keeps_files(s->request))
        return;
    fault_read(request_results(s->request, p), res->rank, fault);
    struct ranked own = { fault[0] != '\0', res->rank }, first;
    MPI_Allreduce(&own, &first, 1, MPI_DOUBLE_INT, MPI_MAXLOC, res->control);
    MPI_Bcast(fault, sizeof(fault), MPI_CHAR, first.rank, res->control);
    size_t len = strcspn(fault, " ");
    int ended = session_suite_index(p, fault, len);
    for (size_t i = 0; i < p->suite_count && ended >= 0; i++)
        if (is_like(&p->suites[i], &p->suites[ended]))
            text_add(&s->faults, "%s%s\n", label_of(&p->suites[i]), fault + len);
}

/* One warning for all processes. */
static void keep_faults(const struct session *s)
{
    struct err why = { "" };
    int rc = fault_keep(request_results(s->request, &s->params), s->resources.rank, &why);
    if (ranks_agree(s->resources.control, rc, &why) != 0 && session_is_root(s))
        fprintf(stderr, "skampi: warning: %s; the next start will not know what ended this one\n",
                why.text);
}

int session_begin(struct session *s, struct err *e)
{
    if (!LIBRARY_IS_SIMULATED) /* whose processes share one */
        interrupt_watch();
    if (session_learn_machine(s, e) != 0)
        return -1;
    read_faults(s);
    rounds_init(&s->rounds, s->params.suite_count);
    allocated_array(&s->work, s->params.suite_count);
    s->outlook = outlook_of(&s->params, s->resources.size);
    int rc = session_is_root(s) ? 0 : init_watchdog(s, e);
    if (ranks_agree(s->resources.control, rc, e) != 0 ||
        session_share_status(s, session_is_root(s) ? begin_as_root(s, e) : 0, e) != 0)
        return -1;
    MPI_Bcast(&s->rounds.left, 1, MPI_INT, 0, s->resources.control); /* from an earlier log */
    MPI_Bcast(&s->rounds.in_turn, 1, MPI_INT, 0, s->resources.control);
    MPI_Bcast(s->rounds.suites, s->rounds.left, MPI_INT, 0, s->resources.control);
    MPI_Bcast(&s->params.order_seed, 1, MPI_UINT32_T, 0, s->resources.control);
    if (params_use_gpu(&s->params) && request_keeps_files(s->request))
        keep_faults(s);
    resources_enter(&s->resources, ACTIVITY_COORDINATING);
    if (params_are_timed(&s->params))
        s->end_s = s->resources.shares.started_s + MEASURING * 60.0 * s->params.time_run_minutes;
    return 0;
}
