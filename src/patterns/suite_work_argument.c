/* One argument of a suite: its setting, its measurements, its row. */
#include "model/matching.h"
#include "patterns/op.h"
#include "patterns/suite_work.h"
#include "stats/visit_length.h"

#include <signal.h>

static struct setting setting_for(const struct suite_work *w, const struct order *order)
{
    const struct suite *suite = w->job.suite;
    bool one_pair = suite_varies(suite, processes) && suite_has(w, PATTERN_ONE_PAIR);
    struct setting at = setting_of(w->job.params, suite, w->block.processes,
                                   one_pair ? w->block.processes : order->at.argument);
    at.partner = order->at.partner;
    at.visit = order->visit;
    return at;
}

static struct limits limits_of(const struct suite_work *w, const struct op *op)
{
    const struct order *order = w->order;
    const struct visit v = { .is_other = op != w->job.op,
                             .number = order->visit,
                             .fixed = order->at.visits,
                             .length = w->run.at.length,
                             .least_s = w->job.visit_s,
                             .most_s = w->end_s - w->began_s,
                             .tick_s = w->job.resources->clock.tick_s };
    struct limits l = visit_limits(w->job.params, w->job.suite, w->job.resources->size, &v);
    l.is_short = order->count > 1;
    l.may_leave = order->may_leave;
    return l;
}

/* Measures a series. Only rank 0 fills it, and home may receive it; the others only take part. */
static int run_series(struct suite_work *w, const struct op *op, struct series *s, struct err *e)
{
    struct resources *res = w->job.resources;
    struct limits limits = limits_of(w, op);
    int rc = 0;
    *s = (struct series){ .limits = limits };
    if (keeps_series(&w->run))
        rc = series_init(s, &limits, e);
    if (limits.time_s > 0.0)
        s->started_s = w->began_s;
    bool kept = suite_keeps_times(w->job.suite) && suite_has(w, PATTERN_OWN_TIMES);
    if (rc == 0 && op == w->job.op && (kept || suite_has_node_times(w)))
        rc = values_init(&s->own, limits.max_repetition + TOUCHES_MOST, e);
    if (op != w->job.dummy) {
        s->overhead_us = w->overhead.value;
        s->overhead_error_us = w->overhead.error;
    }
    enum activity before = resources_enter(res, ACTIVITY_MEASURING);
    contention_begin(&res->contention, res->clock.now());
    rc = pattern_measure(&w->run, op, s, rc, e);
    contention_end(&res->contention, res->clock.now(), res->clock.naps);
    resources_enter(res, before);
    res->shares.timed_s += s->sum_s;
    if (rc == 0)
        series_send_home(&w->run, s);
    return rc;
}

bool suite_needs_alone(const struct suite_work *w, const struct order *order)
{
    struct setting setting = setting_for(w, order);
    return w->known_at.processes == 0 || !setting_is_like(&w->known_at, &setting);
}

static int measure_alone(struct suite_work *w, const struct op *op, struct extra_value *a,
                         struct err *e)
{
    struct series s;
    double first_call_s = w->run.first_call_s;
    *a = (struct extra_value){ 0 };
    int rc = run_series(w, op, &s, e);
    w->run.first_call_s = first_call_s;
    if (rc == 0 && keeps_series(&w->run)) {
        struct summary alone = series_stats(&s).cleaned;
        *a = (struct extra_value){ alone.mean_us, alone.error_us };
    }
    series_release(&s);
    w->began_s = w->job.resources->clock.now(); /* of the operation, or of its part */
    return rc;
}

/* @ABSOLUTE: the overhead is the same measurement without the operation. It makes the same number
 * of calls per interval, so that it is an overhead per call. */
static int measure_others(struct suite_work *w, struct err *e)
{
    const struct suite_job *job = &w->job;
    bool absolute = job->params->absolute && job->dummy != NULL && job->op != job->dummy;
    if (absolute && measure_alone(w, job->dummy, &w->overhead, e) != 0)
        return -1;
    if (job->op->part != NULL && measure_alone(w, job->op->part, &w->part, e) != 0)
        return -1;
    w->known_at = w->run.at;
    return 0;
}

/* The rest of the operation without its part; 0 if it is not above the clock's tick. */
static void conclude_part(const struct extra_value *part, struct measurement *m,
                          struct series *whole)
{
    struct summary all = series_stats(whole).cleaned;
    struct extra_value rest = { all.mean_us - part->value, hypot(all.error_us, part->error) };
    bool limited = rest.value <= m->resources->clock.tick_s * 1e6;
    m->extra[PART_ALONE] = *part;
    m->extra[PART_REST] = limited ? (struct extra_value){ NAN, NAN } : rest;
    m->extra[PART_LIMITED].value = limited ? 1.0 : NAN;
}

/* Notes each number of processes once, in this launch's first pass, and the largest in any case. */
static void note_mapping(struct suite_work *w)
{
    const struct measurement *m = &w->run;
    if (m->resources->rank != 0 || w->mapped == m->all.size || w->turns > 0)
        return;
    w->mapped = m->all.size;
    mapping_note(m, !suite_varies(w->job.suite, processes) || m->all.size == w->block.range.last,
                 &w->block.notes);
}

static void append_pairs(struct suite_work *w, const struct row *round)
{
    const struct measurement *m = &w->run;
    for (int rank = 0; rank < m->all.size; rank++) {
        struct row row = *round;
        row.argument = rank;
        row.partner_argument = matching_partner(m->suite, m->all.size, m->at.matching, rank);
        row.stats = m->pairs[rank].stats;
        row.kept_us = m->pairs[rank].kept_us;
        row.kept = m->pairs[rank].kept;
        row.shape = (struct shape){ 0 };
        if (row.partner_argument > rank)
            block_append(&w->block, &row);
    }
}

/* Rank 0: adds the series as a row to block and plan, or leaves the argument for want of time. */
static void keep_row(struct suite_work *w, long argument, struct series *s, int nodes)
{
    bool left = s->n == 0 && s->stop == STOP_TIME;
    w->call_s = left ? s->tried_s : 0.0;
    if (left) {
        plan_give_back(w->plan);
        return;
    }
    struct row row = { .argument = argument,
                       .asked = argument,
                       .visits = s->limits.visits,
                       .stats = series_stats(s),
                       .shape = series_shape(s),
                       .stop = s->stop,
                       .refined = plan_is_refined(w->plan, argument),
                       .warmup = s->warmup,
                       .invalid = s->invalid,
                       .residual_us = s->residual_s * 1e6,
                       .looking = s->looking,
                       .overhead_us = s->overhead_us,
                       .length = w->run.at.length,
                       .partner = suite_has(w, PATTERN_ONE_PAIR) ? w->run.at.partner : 0,
                       .node_us = w->node_us,
                       .nodes = nodes };
    row.kept_us = s->sorted;
    row.kept = s->n - row.stats.outliers;
    if (!suite_keeps_times(w->job.suite)) /* a value is exactly that of its file of times */
        row.kept = kept_of(s->sorted, row.kept, s->sorted);
    memcpy(row.extra, w->run.extra, sizeof(row.extra));
    if (suite_varies(w->job.suite, partner))
        row.place = hosts_between(&w->job.resources->hosts, 0, row.partner);
    w->residual_s = fmax(w->residual_s, s->residual_s);
    if (w->block.count == 0)
        w->block.first_call_us = w->run.first_call_s * 1e6;
    if (w->run.home == 0) /* otherwise the series has another clock */
        row.before_s = s->ready_s - s->touched_s - w->began_s;
    row.calls_before = s->touched;
    row.order = w->job.resources->contention.orders;
    row.contended = contention_marks(&w->job.resources->contention, row.order);
    bool planned = w->passes.done == 0;
    if (w->run.pairs != NULL)
        append_pairs(w, &row);
    else
        block_append(&w->block, &row);
    if (planned)
        plan_measured(w->plan, row.stats.cleaned.mean_us);
}

static void check_clock(struct suite_work *w)
{
    struct resources *res = w->job.resources;
    enum activity before = resources_enter(res, ACTIVITY_SYNCHRONISING);
    global_clock_check(&res->global, res->control, res->size);
    resources_enter(res, before);
    if (suite_has(w, PATTERN_PER_PROCESS))
        w->residual_s = fmax(w->residual_s, res->global.after.found_s);
}

static volatile sig_atomic_t refusals;

static void refuse(MPI_Comm *comm, int *code, ...)
{
    refusals++;
}

/* Makes one call of the operation, which is part of no time: the algorithm fits if the library
 * reports no error on any process of the run. */
static int try_algorithm(struct measurement *m, const struct op *op, bool *fits, struct err *e)
{
    MPI_Errhandler before, handler;
    int all = 0;
    MPI_Comm_get_errhandler(m->comm, &before);
    MPI_Comm_create_errhandler(refuse, &handler);
    MPI_Comm_set_errhandler(m->comm, handler);
    refusals = 0;
    int rc = pattern_begin(m, op, 0, e);
    if (rc == 0) {
        repetition_next(m, op, 1);
        pattern_prepare(m, op);
        algorithm_toggle(&m->algorithm);
        pattern_calls(m, op, 1);
        pattern_finalize(m, op);
        algorithm_toggle(&m->algorithm);
    }
    pattern_end(m);
    MPI_Comm_set_errhandler(m->comm, before);
    MPI_Errhandler_free(&before);
    MPI_Errhandler_free(&handler);
    int own = (int)refusals;
    MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MAX, m->control);
    *fits = all == 0;
    return rc;
}

/* Tries the algorithm in the first visit: without a row if the library takes another one. */
static int probe(struct suite_work *w, const struct order *order, bool *fits, struct err *e)
{
    *fits = true;
    if (w->turns > 0 || w->run.algorithm.cvar < 0)
        return 0;
    int rc = try_algorithm(&w->run, w->job.op, fits, e);
    if (rc == 0 && !*fits)
        text_add(&w->refused, " %ld", order->at.argument);
    return rc;
}

static int measure_argument(struct suite_work *w, const struct order *order, struct err *e)
{
    struct series s;
    int nodes = 0;
    bool fits;
    int rc = probe(w, order, &fits, e);
    if (rc != 0 || !fits)
        return rc;
    if (order->alone && measure_others(w, e) != 0)
        return -1;
    rc = run_series(w, w->job.op, &s, e);
    if (rc == 0 && suite_has_node_times(w)) {
        int typical = w->run.all.rank == 0 ? series_typical(&s) : -1;
        nodes = node_times_send_home(&w->run, &s, typical, w->node_us);
    }
    if (rc == 0 && suite_keeps_times(w->job.suite))
        times_keep(&w->times, &w->run, &s, order->at.argument);
    if (rc == 0 && w->job.op->part != NULL && keeps_series(&w->run))
        conclude_part(&w->part, &w->run, &s);
    if (rc == 0 && w->run.all.rank == w->run.home)
        keep_row(w, order->at.argument, &s, nodes);
    series_release(&s);
    return rc;
}

int suite_obey(struct suite_work *w, const struct order *order, struct err *e)
{
    struct setting setting = setting_for(w, order);
    struct store *store = w->job.store;
    w->order = order;
    w->end_s = w->job.resources->clock.now() + order->left_s;
    if (order->check_clock)
        check_clock(w);
    w->began_s = w->job.resources->clock.now();
    enum activity before = resources_enter(w->job.resources, ACTIVITY_PREPARING);
    int rc = measurement_prepare(&w->run, &setting, e);
    resources_enter(w->job.resources, before);
    if (rc == 0 && order->what == ORDER_MEASURE)
        note_mapping(w);
    if (rc != 0 || !pattern_takes_part(&w->run))
        return rc;
    if (order->what == ORDER_VERIFY)
        return verify_data(&w->run, w->job.op, e);
    if (order->what == ORDER_MEASURE)
        return measure_argument(w, order, e);
    times_send_home(&w->run, &w->times, order->at.argument, store == NULL ? NULL : &store->times);
    return 0;
}
