#include "patterns/suite.h"

#include "clock/idle.h"
#include "model/topology_rules.h"
#include "patterns/suite_work.h"
#include "patterns/verify.h"
#include "plan/spec.h"

#include <stdlib.h>

/* A suite ends early after this number of rows in a row without enough valid repetitions, if they
 * took this long. */
enum { HOPELESS_ROWS = 4 };
static const double HOPELESS_ROW_S = 4.0;

static const double ALLOWED_S = 20e-9; /* tolerated error of the clocks in internal measurements */

bool suite_has(const struct suite_work *w, enum pattern_trait trait)
{
    return (suite_pattern(w->job->suite)->traits & trait) != 0;
}

bool suite_rows_check_clock(const struct suite_work *w)
{
    return !suite_has(w, PATTERN_PER_PROCESS);
}

bool suite_has_node_times(const struct suite_work *w)
{
    return w->job->suite->node_times && pattern_of(w->job->suite)->node_times != NULL;
}

int suite_partner(const struct suite_work *w, long argument)
{
    const struct pattern *p = pattern_of(w->job->suite);
    return p->partner == NULL ? 0 : p->partner(w->job->machine, w->job->suite, argument);
}

static bool time_is_up(const struct suite_work *w)
{
    double limit_s = 60.0 * w->job->suite->time_suite_minutes;
    double now = w->job->machine->clock.now();
    return limit_s > 0.0 && w->block->count > 0 && now - w->started_s > limit_s;
}

/* On a machine that is too busy, the next rows would only take time, too. */
static bool is_hopeless(const struct suite_work *w)
{
    const struct block *b = w->block;
    size_t bad = 0;
    while (bad < b->count && b->rows[b->count - 1 - bad].stop == STOP_UNSYNCHRONISED)
        bad++;
    return bad >= HOPELESS_ROWS &&
           w->job->machine->clock.now() - w->started_s > HOPELESS_ROWS * HOPELESS_ROW_S;
}

/* The clock is checked before a suite; also between its rows, if they do not check it and take
 * long. */
static bool clock_is_due(const struct suite_work *w)
{
    const struct machine *m = w->job->machine;
    return suite_has(w, PATTERN_GLOBAL_CLOCK) &&
           (w->block->count == 0 ||
            (!suite_rows_check_clock(w) && global_clock_is_due(&m->global, m->size, ALLOWED_S)));
}

/* The data of derived types are verified with the shortest and the longest message. */
static bool next_to_verify(struct suite_work *w, long *argument)
{
    const struct suite *s = w->job->suite;
    const struct range *r = &w->block->range;
    bool lengths = s->variation == VARY_LENGTH;
    bool first = lengths && w->verified == 0;
    if (!verify_is_needed(w->job->params, s) || w->verified == (lengths ? 2 : 1))
        return false;
    w->verified++;
    long shortest = s->type->application != NULL ? r->first : r->quantum;
    *argument = first && shortest < r->last ? shortest : r->last;
    return true;
}

/* If the log cannot be written, the pass would only have to be repeated after a crash. */
static void record_pass(struct suite_work *w)
{
    char label[SUITE_LABEL_SIZE];
    struct text rows = { 0 };
    struct err e = { "" };
    if (w->job->store != NULL && passes_record(&w->passes, w->block, &rows) && !rows.failed)
        store_end_pass(w->job->store, suite_label(w->job->suite, label, sizeof(label)),
                       text_get(&rows), &e);
    text_release(&rows);
}

static bool next_argument(struct suite_work *w, long *argument)
{
    bool found = passes_next(&w->passes, w->plan, w->block, argument);
    if (found)
        record_pass(w);
    return found;
}

/* Sends all processes the next order; those with nothing to do wait here. */
static struct order next_order(struct suite_work *w, bool failed)
{
    const struct suite_job *job = w->job;
    struct order order = { .what = ORDER_END };
    if (job->machine->rank == 0) {
        w->block->hopeless = is_hopeless(w);
        if (failed)
            order.what = ORDER_GIVE_UP;
        else if (!w->block->hopeless && !time_is_up(w) && next_argument(w, &order.argument))
            order.what = ORDER_MEASURE;
        else if (next_to_verify(w, &order.argument))
            order.what = ORDER_VERIFY;
        order.partner = suite_partner(w, order.argument);
        order.check_clock = order.what == ORDER_MEASURE && clock_is_due(w);
        if (order.what == ORDER_MEASURE && job->progress != NULL)
            job->progress(job->context, w->block->count);
    }
    idle_bcast(&job->machine->clock, &order, sizeof(order), job->machine->control);
    return order;
}

static int obey(struct suite_work *w, const struct order *order, struct err *e)
{
    if (order->what == ORDER_VERIFY)
        return suite_verify_argument(w, order, e);
    int rc = suite_measure_argument(w, order, e);
    contention_end_order(&w->job->machine->contention);
    return rc;
}

/* Passes that do not fit this plan are measured again. */
static int resume_passes(struct suite_work *w, struct err *e)
{
    const struct suite_job *job = w->job;
    int rc = passes_resume(&w->passes, w->plan, w->block, job->past, e);
    w->resumed = w->block->count;
    if (rc <= 0)
        return rc;
    plan_free(w->plan);
    w->plan = plan_of_suite(job->params, job->suite, job->machine->size, e);
    return w->plan == NULL ? -1 : 0;
}

static int begin(struct suite_work *w, struct err *e)
{
    const struct suite_job *job = w->job;
    struct machine *m = job->machine;
    if (m->rank != 0)
        return 0;
    w->plan = plan_of_suite(job->params, job->suite, m->size, e);
    w->node_us = malloc((size_t)(m->size + 1) * sizeof(double));
    if (w->node_us == NULL)
        return err_no_memory(e, (unsigned long long)m->size * sizeof(double));
    return w->plan == NULL ? -1 : resume_passes(w, e);
}

/* By processes other than rank 0, too. Those of an earlier launch know only what it knew. */
static void mark_contended(struct suite_work *w)
{
    for (size_t i = w->resumed; i < w->block->count; i++) {
        struct row *row = &w->block->rows[i];
        row->contended = contention_is_marked(&w->job->machine->contention, row->order);
    }
}

static int conclude(struct suite_work *w, struct err *e)
{
    struct block *b = w->block;
    b->first_argument = b->rows[0].argument;
    mark_contended(w);
    int rc = passes_conclude(&w->passes, b, e);
    block_sort(b);
    suite_add_facts(w);
    b->notes = text_take(&w->notes);
    b->time_minutes = (w->job->machine->clock.now() - w->started_s) / 60.0;
    return rc;
}

static int end(struct suite_work *w, struct err *e)
{
    struct machine *m = w->job->machine;
    int rc = 0;
    contention_collect(&m->contention, m->control);
    if (m->rank == 0 && w->block->count > 0)
        rc = conclude(w, e);
    plan_free(w->plan);
    own_times_release(&w->run.own_times);
    free(w->node_us);
    run_release(&w->run);
    return rc;
}

int suite_measure(const struct suite_job *job, struct block *b, struct err *e)
{
    struct suite_work w = { .job = job,
                            .block = b,
                            .started_s = job->machine->clock.now(),
                            .passes = passes_start(job->suite) };
    struct order order;
    *b = (struct block){ .params = job->params,
                         .suite = job->suite,
                         .range = suite_range(job->params, job->suite, job->machine->size),
                         .processes =
                             topology_processes(job->params, job->suite, job->machine->size),
                         .first_call_us = -1.0 };
    job->machine->global.refreshed = 0;
    contention_begin_suite(&job->machine->contention);
    run_init(&w.run, job->machine, job->params, job->suite);
    w.run.calls = suite_calls(job->suite);
    int rc = begin(&w, e);
    for (order = next_order(&w, rc != 0); order.what == ORDER_VERIFY || order.what == ORDER_MEASURE;
         order = next_order(&w, rc != 0))
        rc = obey(&w, &order, e);
    return end(&w, e) != 0 || order.what == ORDER_GIVE_UP ? -1 : 0;
}
