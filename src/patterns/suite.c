#include "patterns/suite.h"

#include "base/interrupt.h"
#include "patterns/suite_work.h"

#include <signal.h>

/* A suite ends early when rows in a row, each this long, lacked valid repetitions. */
static const double HOPELESS_ROW_S = 1.0;

/* The visits of one order take at most this time, and this part of what is left. */
static const double AT_ONCE_S = 20e-3, AT_ONCE_PART = 0.05;

static const double ALLOWED_S = 20e-9; /* tolerated error of the clocks in internal measurements */

/* Is the machine too busy for more rows? A visit that has enough repetitions was only short. */
static bool is_hopeless(const struct suite_work *w)
{
    const struct block *b = &w->block;
    size_t bad = 0;
    for (const struct row *r = b->rows + b->count; bad < b->count; bad++)
        if ((--r)->stop != STOP_UNSYNCHRONISED ||
            (w->passes.wanted > 1 && !stats_are_few(&r->stats)))
            break;
    return bad >= HOPELESS_ROWS && suite_used_s(w) > HOPELESS_ROWS * HOPELESS_ROW_S;
}

/* Before a turn; and between rows of single processes, which do not check it, if they take long. */
static bool clock_is_due(const struct suite_work *w)
{
    const struct resources *res = w->job.resources;
    return suite_has(w, PATTERN_GLOBAL_CLOCK) &&
           (w->block.count == w->rows_before ||
            (suite_has(w, PATTERN_PER_PROCESS) &&
             global_clock_is_due(&res->global, res->size, ALLOWED_S)));
}

/* Does another pass follow? Without a journal, it would only have to be repeated after a crash.
 * Times of single repetitions are not in it, so a suite that keeps them starts over. */
static bool another_pass(struct suite_work *w)
{
    const struct suite *s = w->job.suite;
    struct text rows = { 0 };
    struct err e = { "" };
    bool more = passes_go_on(&w->passes, &w->block, &rows);
    const char *kept = suite_keeps_times(s) ? "-" : text_get(&rows);
    if (more && w->job.store != NULL)
        store_log(w->job.store, LOG_SUITE_PASS, &e, "%s %s", label_of(s), kept);
    text_release(&rows);
    return more;
}

static enum order_kind after_pass(struct suite_work *w, bool over, long *argument)
{
    if (w->job.over)
        return ORDER_END;
    if (!w->marked)
        return ORDER_MARK;
    if (w->block.late && w->shared && w->passes.done == 0)
        return ORDER_PAUSE;
    if (!over && !w->last && another_pass(w))
        return ORDER_PAUSE;
    w->last = true;
    if (w->written == w->times.count)
        return ORDER_END;
    *argument = w->times.list[w->written++].argument;
    return ORDER_WRITE_TIMES;
}

/* Waits for the turn of this run of a duet; that time is not the suite's. If the other run has
 * ended, this one ends as by a signal. Returns whether both make this visit: they have the same
 * first arguments, and further visits of an argument only together. */
static bool take_turn(struct suite_work *w)
{
    struct resources *res = w->job.resources;
    size_t visit = w->passes.done > 0 ? w->passes.at : w->block.count - w->rows_before;
    const struct duet_place at = { w->passes.done, (int)(w->job.suite - w->job.params->suites),
                                   (int)visit };
    struct err e = { "" };
    double began_s = res->clock.now();
    if (!res->duet.on)
        return true;
    int rc = duet_wait(&res->duet, at, &e);
    if (rc < 0) {
        fprintf(stderr, "skampi: %s\n", e.text);
        raise(SIGTERM);
    }
    w->started_s += res->clock.now() - began_s;
    return interrupt_name() == NULL && (rc <= 0 || w->passes.done == 0);
}

static struct order_for order_for(const struct suite_work *w, long argument)
{
    const struct row *first = passes_row(&w->passes, &w->block, argument);
    return (struct order_for){ argument, suite_partner(w, argument),
                               first == NULL ? 0 : first->visits };
}

/* The time of the argument's last visits; NaN if it is unknown. */
static double visit_s(const struct suite_work *w, long argument)
{
    const struct row *first = passes_row(&w->passes, &w->block, argument);
    return first == NULL ? NAN : first->stats.all.count * first->stats.all.mean_us * 1e-6;
}

/* Adds the visits that follow, while all together take no longer than a person or a limit of time
 * notices. In a duet, runs take turns with each visit; rows per process check the clock. */
static void add_visits(struct suite_work *w, struct order *order)
{
    double sum_s = visit_s(w, order->at.argument);
    double most_s = fmin(AT_ONCE_S, AT_ONCE_PART * suite_left_s(w));
    bool one = w->passes.done == 0 || order->alone || w->job.resources->duet.on ||
               suite_has(w, PATTERN_PER_PROCESS);
    while (order->count < ORDER_MOST && !one) {
        const struct passes before = w->passes;
        struct order next = *order;
        if (!passes_next(&w->passes, w->plan, &w->block, &next.at.argument))
            break;
        next.at = order_for(w, next.at.argument);
        sum_s += visit_s(w, next.at.argument);
        if (!(sum_s <= most_s) || suite_needs_alone(w, &next)) {
            w->passes = before;
            break;
        }
        order->list[order->count++] = next.at;
    }
}

/* Does a limit of time end it? Time_Suite leaves at least a row. */
static bool has_limit(const struct suite_work *w)
{
    return w->block.count > 0 || w->until_s > 0.0;
}

/* Notes in the block why no more of its rows are measured; false: more are. */
static bool ends_early(struct suite_work *w)
{
    double next_s = passes_next_s(&w->passes, w->plan, &w->block);
    w->block.hopeless = is_hopeless(w);
    w->block.late = suite_left_s(w) < fmax(next_s, w->call_s) && has_limit(w);
    return w->block.hopeless || w->block.late;
}

static struct order decide(struct suite_work *w, bool failed)
{
    struct order order = { .what = ORDER_MEASURE };
    bool over = ends_early(w) || w->job.over;
    if (failed)
        order.what = ORDER_GIVE_UP;
    else if (interrupt_name() != NULL)
        order.what = ORDER_STOP;
    else if (over || !passes_next(&w->passes, w->plan, &w->block, &order.at.argument))
        order.what = after_pass(w, over, &order.at.argument);
    return order;
}

/* Adds to an order what all processes need to obey it, and visits that follow. */
static void complete(struct suite_work *w, struct order *order)
{
    bool measures = order->what == ORDER_MEASURE;
    order->visit = w->passes.done;
    order->list[order->count++] = order->at = order_for(w, order->at.argument);
    order->left_s = suite_left_s(w);
    order->may_leave = w->passes.done == 0 && has_limit(w);
    /* with rows per process, control messages are measured */
    order->naps = w->job.resources->contention.goes_on && !suite_has(w, PATTERN_PER_PROCESS);
    order->check_clock = measures && clock_is_due(w);
    order->alone = measures && suite_needs_alone(w, order);
    if (measures)
        add_visits(w, order);
}

/* Sends all processes the next order; idle processes wait here. */
static struct order next_order(struct suite_work *w, bool failed)
{
    const struct suite_job *job = &w->job;
    struct order order;
    if (job->progress != NULL)
        job->progress(job->context, &w->block, NULL);
    duet_sleep(&job->resources->duet);
    if (job->resources->rank == 0) {
        do
            order = decide(w, failed);
        while (order.what == ORDER_MEASURE && !take_turn(w));
        complete(w, &order);
    }
    idle_bcast(&job->resources->clock, &order, sizeof(order), job->resources->control);
    duet_wake(&job->resources->duet);
    job->resources->clock.naps = order.naps;
    return order;
}

static void begin(struct suite_work *w)
{
    const struct suite_job *job = &w->job;
    struct resources *res = job->resources;
    if (res->rank != 0)
        return;
    w->plan = plan_of_suite(job->params, job->suite, res->size);
    allocated_array(&w->node_us, (size_t)res->size);
    if (!passes_resume(&w->passes, w->plan, &w->block, job->past)) { /* measured again */
        plan_free(w->plan);
        w->plan = plan_of_suite(job->params, job->suite, res->size);
    }
    w->rows_before = w->block.count;
}

struct suite_work *suite_begin(const struct suite_job *job)
{
    struct suite_work *w;
    int processes = job->resources->size;
    const struct clock *clock = &job->resources->clock;
    allocated_array(&w, 1);
    w->job = *job;
    w->passes = passes_start(job->suite, processes);
    w->block = (struct block){ .params = job->params,
                               .suite = job->suite,
                               .range = suite_range(job->params, job->suite, processes),
                               .processes = topology_processes(job->params, job->suite, processes),
                               .keeps_visits = job->resources->duet.on,
                               .tick_us = clock->tick_s * 1e6,
                               .least_us = 2e6 * (clock->cost_s + clock->tick_s),
                               .bound_us = job->resources->global.bound_s * 1e6,
                               .first_call_us = -1.0 };
    begin(w);
    return w;
}

/* Collects the marks of contended rows on all processes, which the next pass depends on. */
static void collect_marks(struct suite_work *w)
{
    struct resources *res = w->job.resources;
    if (w->marked)
        return;
    contention_end_turn(&res->contention, &res->clock, res->control, &w->used);
    for (size_t i = w->rows_before; i < w->block.count; i++) {
        struct row *row = &w->block.rows[i];
        row->contended = contention_marks(&res->contention, row->order);
    }
    w->rows_before = w->block.count;
    w->marked = true;
}

/* Obeys an order for all of its arguments, also if one fails: other processes may not know. */
static int obey(struct suite_work *w, struct order *order, struct err *e)
{
    const struct suite_job *job = &w->job;
    int rc = 0;
    if (order->what == ORDER_MARK)
        collect_marks(w);
    for (int i = 0; i < order->count && order->what != ORDER_MARK; i++) {
        order->at = order->list[i];
        if (job->progress != NULL)
            job->progress(job->context, &w->block, &order->at.argument);
        rc |= suite_obey(w, order, e);
        order->check_clock = false;
        job->resources->contention.orders += order->what == ORDER_MEASURE;
    }
    return rc;
}

static void conclude_suite(struct suite_work *w)
{
    struct block *b = &w->block;
    b->first_argument = b->rows[0].argument;
    enum stop why = b->hopeless ? STOP_UNSYNCHRONISED : STOP_TIME;
    w->passes.lacking = w->recalled || w->job.over ? STOP_NONE : why;
    passes_conclude(&w->passes, b);
    block_widen_errors(b);
    suite_add_facts(w);
    b->time_minutes = w->spent_s / 60.0;
}

struct suite_work *suite_recall(const struct suite_job *job)
{
    struct suite_work *w = suite_begin(job);
    measurement_init(&w->run, job->resources, job->params, job->suite);
    w->recalled = true;
    if (w->block.count > 0) {
        conclude_suite(w);
        return w;
    }
    suite_end(w);
    return NULL;
}

int suite_turn(struct suite_work *w, enum suite_goes *next, struct err *e)
{
    struct resources *res = w->job.resources;
    struct order order;
    int rc = 0;
    w->started_s = res->clock.now();
    res->global.refreshed = 0;
    contention_begin_turn(&res->contention, &w->used);
    w->marked = false;
    measurement_init(&w->run, res, w->job.params, w->job.suite);
    while ((order = next_order(w, rc != 0)).what >= ORDER_WRITE_TIMES) {
        if (order.what == ORDER_MEASURE && w->first_s == 0.0)
            w->first_s = res->clock.now();
        rc = obey(w, &order, e);
        w->last_s = order.what == ORDER_MEASURE ? res->clock.now() : w->last_s;
    }
    collect_marks(w);
    w->refreshed += res->global.refreshed;
    w->spent_s = suite_used_s(w);
    w->turns++;
    *next = order.what == ORDER_PAUSE ? SUITE_GOES_ON : SUITE_OVER;
    if (order.what == ORDER_STOP)
        *next = SUITE_STOPPED;
    if (*next != SUITE_GOES_ON)
        contention_collect(&res->contention, res->control);
    if (order.what == ORDER_GIVE_UP)
        rc = -1;
    else if (*next == SUITE_OVER && res->rank == 0 && w->block.count > 0)
        conclude_suite(w);
    measurement_release(&w->run);
    return rc;
}

/* Sends the next argument to be verified, outside of all measurements. */
static struct order next_to_verify(struct suite_work *w, struct verification *v, bool failed)
{
    struct resources *res = w->job.resources;
    struct order order = { .what = ORDER_END, .visit = 1 }; /* not at the first place */
    if (res->rank == 0) {
        if (!failed && verification_next(v, res->clock.now(), &order.at.argument))
            order.what = ORDER_VERIFY;
        order.at.partner = suite_partner(w, order.at.argument);
    }
    idle_bcast(&res->clock, &order, sizeof(order), res->control);
    return order;
}

int suite_verify(const struct suite_job *job, struct verification *v, struct err *e)
{
    struct suite_work *w = suite_begin(job);
    int rc = 0;
    measurement_init(&w->run, job->resources, job->params, job->suite);
    for (struct order order; (order = next_to_verify(w, v, rc != 0)).what == ORDER_VERIFY;)
        rc = suite_obey(w, &order, e);
    measurement_release(&w->run);
    suite_end(w);
    return rc;
}

void suite_end_at(struct suite_work *w, double until_s, bool more)
{
    w->until_s = until_s;
    w->shared = more;
}

bool suite_is_in_first_pass(const struct suite_work *w)
{
    return w == NULL || w->passes.done == 0;
}

double suite_spent_s(const struct suite_work *w)
{
    return w == NULL ? 0.0 : w->spent_s;
}

struct block *suite_block(struct suite_work *w)
{
    return &w->block;
}

void suite_end(struct suite_work *w)
{
    if (w == NULL)
        return;
    plan_free(w->plan);
    block_release(&w->block);
    times_release(&w->times);
    text_release(&w->refused);
    free(w->node_us);
    free(w);
}
