#include "patterns/suite.h"

#include "clock/idle.h"
#include "model/matching.h"
#include "model/topology_rules.h"
#include "patterns/send_home.h"
#include "hosts/places.h"
#include "patterns/mapping.h"
#include "patterns/p2p.h"
#include "patterns/part.h"
#include "merge/passes.h"
#include "params/sections.h"
#include "patterns/pattern.h"
#include "patterns/repetition.h"
#include "patterns/times_home.h"
#include "patterns/verify.h"
#include "plan/spec.h"
#include "results/fact.h"
#include "results/plan_notes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double ALLOWED_S = 20e-9; /* tolerated error of the clocks in internal measurements */

/* What rank 0 sends to all others before each argument. */
struct order {
    enum { ORDER_END, ORDER_VERIFY, ORDER_MEASURE, ORDER_GIVE_UP } what;
    bool check_clock; /* before measuring */
    int partner;
    long argument;
};

/* A suite while it is being measured; plan and block on rank 0 only. */
struct suite_work {
    const struct suite_job *job;
    struct run run;
    struct plan *plan;
    struct block *block;
    struct passes passes;
    int verified; /* number of arguments whose data were verified */
    double started_s;
    struct setting overhead_of; /* when overhead_us was measured; processes 0: never */
    double overhead_us;
    struct part part; /* of the operation, if it has one */
    double *node_us;  /* owned; one time per process */
    struct text notes;
    double residual_s; /* of the clocks, in rows and before internal measurements */
    int mapped;        /* number of processes of the last mapping in the notes */
};

static const struct suite *suite_of(const struct suite_work *w)
{
    return w->job->suite;
}

static bool has_trait(const struct suite_work *w, enum pattern_trait trait)
{
    return (suite_pattern(suite_of(w))->traits & trait) != 0;
}

static bool time_is_up(const struct suite_work *w)
{
    double limit_s = 60.0 * suite_of(w)->time_suite_minutes;
    double now = w->job->machine->clock.now();
    return limit_s > 0.0 && w->block->count > 0 && now - w->started_s > limit_s;
}

/* Synchronised rows check the clock themselves; those with one row per process do not. */
static bool looks_by_itself(const struct suite_work *w)
{
    return !has_trait(w, PATTERN_PER_PROCESS);
}

/* The clock is checked before a suite; also between its rows, if they do not check it and take
 * long. */
static bool clock_is_due(const struct suite_work *w)
{
    const struct machine *m = w->job->machine;
    return has_trait(w, PATTERN_GLOBAL_CLOCK) &&
           (w->block->count == 0 ||
            (!looks_by_itself(w) && global_clock_is_due(&m->global, m->size, ALLOWED_S)));
}

static int partner_for(const struct suite_work *w, long argument)
{
    const struct pattern *p = pattern_of(suite_of(w));
    return p->partner == NULL ? 0 : p->partner(w->job->machine, suite_of(w), argument);
}

/* The data of derived types are verified with the shortest and the longest message. */
static bool next_to_verify(struct suite_work *w, long *argument)
{
    const struct suite *s = suite_of(w);
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
        store_end_pass(w->job->store, suite_label(suite_of(w), label, sizeof(label)),
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
        if (failed)
            order.what = ORDER_GIVE_UP;
        else if (!time_is_up(w) && next_argument(w, &order.argument))
            order.what = ORDER_MEASURE;
        else if (next_to_verify(w, &order.argument))
            order.what = ORDER_VERIFY;
        order.partner = partner_for(w, order.argument);
        order.check_clock = order.what == ORDER_MEASURE && clock_is_due(w);
        if (order.what == ORDER_MEASURE && job->progress != NULL)
            job->progress(job->context, w->block->count);
    }
    idle_bcast(&job->machine->clock, &order, sizeof(order), job->machine->control);
    return order;
}

static struct setting setting_of(const struct suite_work *w, const struct order *order)
{
    const struct suite *s = suite_of(w);
    bool subset = s->variation == VARY_NODES && !has_trait(w, PATTERN_ONE_PAIR);
    struct setting setting = { .partner = order->partner };
    setting.processes = subset ? (int)order->argument : w->block->processes;
    setting.length = s->variation == VARY_LENGTH
                         ? order->argument
                         : suite_length_among(w->job->params, s, setting.processes);
    setting.chunks = (int)(s->variation == VARY_CHUNKS ? order->argument : s->default_chunks);
    setting.window = (int)(s->variation == VARY_WINDOW ? order->argument : s->options.window);
    setting.work = (int)(s->variation == VARY_WORK ? order->argument : s->options.work);
    setting.groups = s->variation == VARY_GROUPS ? (int)order->argument : 0;
    setting.matching = s->variation == VARY_PAIRS ? (int)order->argument : 0;
    if (setting.chunks == 0)
        setting.chunks = CHUNKS_PER_WORKER * (setting.processes - 1);
    return setting;
}

static struct limits limits_of(const struct suite_work *w)
{
    const struct suite *s = suite_of(w);
    return (struct limits){ .min_repetition = s->min_repetition,
                            .max_repetition = s->max_repetition,
                            .standard_error = s->standard_error,
                            .cut_quantile = s->cut_quantile,
                            .time_s = 60.0 * s->time_measurement_minutes,
                            .tick_s = w->job->machine->clock.tick_s,
                            .error = s->options.error,
                            .outliers = s->options.outliers };
}

static bool wants_node_times(const struct suite_work *w)
{
    return suite_of(w)->node_times && pattern_of(suite_of(w))->node_times != NULL;
}

static bool wants_own_times(const struct suite_work *w)
{
    bool kept = suite_keeps_times(suite_of(w)) && has_trait(w, PATTERN_OWN_TIMES);
    return kept || wants_node_times(w);
}

static int measure_series(struct suite_work *w, const struct op *op, struct series *s, int rc,
                          struct err *e)
{
    struct machine *m = w->job->machine;
    enum activity before = machine_enter(m, ACTIVITY_MEASURING);
    rc = pattern_measure(&w->run, op, s, rc, e);
    machine_enter(m, before);
    m->shares.timed_s += s->sum_s;
    return rc;
}

/* Only rank 0 fills a series, and home may receive it; the others only take part. */
static int run_series(struct suite_work *w, const struct op *op, struct series *s, struct err *e)
{
    struct limits limits = limits_of(w);
    int rc = 0;
    *s = (struct series){ 0 };
    own_times_release(&w->run.own_times);
    if (keeps_series(&w->run))
        rc = series_init(s, &limits, e);
    if (rc == 0 && op == w->job->op && wants_own_times(w))
        rc = own_times_init(&w->run.own_times, limits.max_repetition, e);
    s->overhead_us = op == w->job->dummy ? 0.0 : w->overhead_us;
    rc = measure_series(w, op, s, rc, e);
    if (rc == 0)
        series_send_home(&w->run, s);
    return rc;
}

static bool overhead_is_known(const struct suite_work *w, const struct setting *s)
{
    const struct setting *of = &w->overhead_of;
    return of->processes == s->processes && of->chunks == s->chunks && of->partner == s->partner &&
           of->groups == s->groups;
}

/* @ABSOLUTE: the same measurement without the operation, once per number of processes and chunks,
 * and per partner. It makes the same number of calls per interval, so that it is an overhead per
 * call. */
static int measure_overhead(struct suite_work *w, const struct setting *setting, struct err *e)
{
    const struct suite_job *job = w->job;
    if (!job->params->absolute || job->dummy == NULL || job->op == job->dummy ||
        overhead_is_known(w, setting))
        return 0;
    struct series s;
    double first_call_s = w->run.first_call_s;
    w->overhead_us = 0.0;
    int rc = run_series(w, job->dummy, &s, e);
    w->run.first_call_s = first_call_s;
    if (rc == 0 && s.n > 0)
        w->overhead_us = series_stats(&s).cleaned.mean_us;
    w->overhead_of = *setting;
    series_release(&s);
    return rc;
}

static int measure_part(struct suite_work *w, const struct setting *setting, struct err *e)
{
    const struct op *part = w->job->op->part;
    if (part == NULL || part_is_known(&w->part, setting))
        return 0;
    struct series s;
    double first_call_s = w->run.first_call_s;
    int rc = run_series(w, part, &s, e);
    w->run.first_call_s = first_call_s;
    if (rc == 0 && s.n > 0)
        part_keep(&w->part, setting, &s);
    w->part.of = *setting;
    series_release(&s);
    return rc;
}

/* The mapping of the largest number of processes is listed in any case. */
static void note_mapping(struct suite_work *w)
{
    const struct run *r = &w->run;
    if (r->machine->rank != 0 || w->mapped == r->size)
        return;
    w->mapped = r->size;
    mapping_note(r, suite_of(w)->variation != VARY_NODES || r->size == w->block->range.last,
                 &w->notes);
}

/* A row for each pair of the round. */
static int append_pairs(struct suite_work *w, const struct row *round, struct err *e)
{
    const struct run *r = &w->run;
    int rc = 0;
    for (int rank = 0; rank < r->size && rc == 0; rank++) {
        struct row row = *round;
        row.argument = rank;
        row.partner_argument = matching_partner(r->suite, r->size, r->matching, rank);
        row.stats = r->pair_stats[rank];
        if (row.partner_argument > rank)
            rc = block_append(w->block, &row, e);
    }
    return rc;
}

/* Rank 0: appends the series to the block as a row, and passes the result to the plan. */
static int keep_row(struct suite_work *w, long argument, struct series *s, int nodes, struct err *e)
{
    struct row row = { .argument = argument,
                       .stats = series_stats(s),
                       .stop = s->stop,
                       .refined = plan_is_refined(w->plan, argument),
                       .invalid = s->invalid,
                       .residual_us = s->residual_s * 1e6,
                       .looking = s->looking,
                       .overhead_us = s->overhead_us,
                       .length = w->run.length,
                       .partner = has_trait(w, PATTERN_ONE_PAIR) ? w->run.partner : 0,
                       .node_us = w->node_us,
                       .nodes = nodes };
    memcpy(row.extra, w->run.extra, sizeof(row.extra));
    if (suite_of(w)->variation == VARY_DISTANCE)
        row.place = closeness_name(hosts_between(&w->job->machine->hosts, 0, row.partner));
    w->residual_s = fmax(w->residual_s, s->residual_s);
    if (w->block->count == 0)
        w->block->first_call_us = w->run.first_call_s * 1e6;
    bool planned = passes_follow_plan(&w->passes);
    int rc = w->run.pair_stats != NULL ? append_pairs(w, &row, e) : block_append(w->block, &row, e);
    if (rc != 0)
        return -1;
    return !planned ? 0 : plan_measured(w->plan, argument, row.stats.cleaned.mean_us, e);
}

static int prepare(struct suite_work *w, const struct setting *setting, struct err *e)
{
    enum activity before = machine_enter(w->job->machine, ACTIVITY_PREPARING);
    int rc = run_prepare(&w->run, setting, e);
    machine_enter(w->job->machine, before);
    return rc;
}

/* Called after all measurements: otherwise the suite's first call would not be its first. */
static int verify_argument(struct suite_work *w, const struct order *order, struct err *e)
{
    struct setting setting = setting_of(w, order);
    struct run *r = &w->run;
    if (prepare(w, &setting, e) != 0)
        return -1;
    return pattern_of(suite_of(w))->takes_part(r) ? verify_data(r, w->job->op, e) : 0;
}

static void check_clock(struct suite_work *w)
{
    struct machine *m = w->job->machine;
    enum activity before = machine_enter(m, ACTIVITY_SYNCHRONISING);
    global_clock_check(&m->global, m->control, m->size);
    machine_enter(m, before);
    if (!looks_by_itself(w))
        w->residual_s = fmax(w->residual_s, m->global.after.found_s);
}

static struct times_file *times_of(const struct suite_work *w)
{
    return w->job->store == NULL ? NULL : &w->job->store->times;
}

static int measure_argument(struct suite_work *w, const struct order *order, struct err *e)
{
    struct setting setting = setting_of(w, order);
    struct series s;
    int nodes = 0;
    if (order->check_clock)
        check_clock(w);
    if (prepare(w, &setting, e) != 0)
        return -1;
    note_mapping(w);
    if (!pattern_of(suite_of(w))->takes_part(&w->run))
        return 0;
    if (measure_overhead(w, &setting, e) != 0 || measure_part(w, &setting, e) != 0)
        return -1;
    int rc = run_series(w, w->job->op, &s, e);
    if (rc == 0 && wants_node_times(w)) {
        int typical = w->run.rank == 0 ? series_typical(&s) : -1;
        nodes = pattern_of(suite_of(w))->node_times(&w->run, typical, w->node_us);
    }
    if (rc == 0 && suite_keeps_times(suite_of(w)))
        rc = times_send_home(&w->run, &s, order->argument, times_of(w), e);
    if (rc == 0 && w->job->op->part != NULL && keeps_series(&w->run))
        part_conclude(&w->part, &w->run, &s);
    if (rc == 0 && w->run.rank == w->run.home)
        rc = keep_row(w, order->argument, &s, nodes, e);
    series_release(&s);
    return rc;
}

static int obey(struct suite_work *w, const struct order *order, struct err *e)
{
    return order->what == ORDER_VERIFY ? verify_argument(w, order, e)
                                       : measure_argument(w, order, e);
}

/* "kept, paced, one buffer"; nothing for what 4.1 measures. */
static void note_data(struct suite_work *w)
{
    const struct suite_options *x = &suite_of(w)->options;
    bool paced = x->paced && (type_options(suite_of(w)->type) & OPTION_BIT(OPTION_PACED)) != 0;
    static const char *const buffers[] = {
        [BUFFERS_TWO] = "", [BUFFERS_ONE] = ", one buffer", [BUFFERS_MANY] = ", many buffers"
    };
    if (repetition_rewrites(&w->run) || paced || x->buffers != BUFFERS_TWO)
        fact_addf(&w->notes, FACT_SUITE_DATA, "%s%s%s", data_choice(x->data),
                  paced ? ", paced" : "", buffers[x->buffers]);
}

static void note_lists(struct suite_work *w)
{
    const struct application *a = suite_of(w)->type->application;
    if (a != NULL && a->lists != NULL && has_trait(w, PATTERN_LOCAL))
        fact_addf(&w->notes, FACT_LISTS, "seed %d, %d lists in turn", APPLICATION_SEED,
                  APPLICATION_LISTS_BUILT);
    else if (a != NULL && a->lists != NULL)
        fact_addf(&w->notes, FACT_LISTS, "seed %d, 1 list", APPLICATION_SEED);
}

static void note_loop(struct suite_work *w)
{
    int loop = suite_of(w)->options.loop;
    if (loop > 1)
        fact_addf(&w->notes, FACT_LOOP,
                  "%d calls in a row in one interval, pipelined; times are per call", loop);
}

static void note_passes(struct suite_work *w)
{
    const struct suite_options *x = &suite_of(w)->options;
    static const char *const meaning[] = {
        [ESTIMATE_MEDIAN] = "times are medians over the passes, errors are between passes",
        [ESTIMATE_MINIMUM] = "times are the smallest of the passes, errors half the distance to "
                             "the second smallest",
    };
    if (x->passes > 1)
        fact_addf(&w->notes, FACT_PASSES, "%d: %s", x->passes, meaning[x->estimate]);
}

static void add_notes(struct suite_work *w)
{
    const struct machine *m = w->job->machine;
    int partner = partner_for(w, m->size);
    if (wants_node_times(w))
        fact_add(&w->notes, FACT_NODETIMES, "of the repetition nearest to the reported time");
    enum variation varied = suite_of(w)->variation;
    if (has_trait(w, PATTERN_ONE_PAIR) && varied != VARY_NODES && varied != VARY_DISTANCE)
        fact_addf(&w->notes, FACT_PARTNER, "%d %s", partner, m->hosts.ranks[partner].host);
    if (pattern_of(suite_of(w))->note != NULL)
        pattern_of(suite_of(w))->note(&w->run, &w->notes);
    note_data(w);
    note_lists(w);
    note_loop(w);
    note_passes(w);
    if (suite_of(w)->options.cache == CACHE_COLD)
        fact_addf(&w->notes, FACT_SUITE_CACHE, "cold: each repetition uses other memory%s",
                  machine_evicts(m) ? "" : ", but @MEMORY is too small to leave the cache");
}

static void add_clock_note(struct suite_work *w)
{
    struct global_clock *g = &w->job->machine->global;
    if (!has_trait(w, PATTERN_GLOBAL_CLOCK))
        return;
    fact_addf(&w->notes, FACT_SUITE_RESIDUAL, "%.6f microsec. at most; %d refreshed",
              w->residual_s * 1e6, g->refreshed);
    g->residual_s = fmax(g->residual_s, w->residual_s);
}

static void add_plan_notes(struct suite_work *w)
{
    const struct suite *s = suite_of(w);
    struct plan_outcome outcome = plan_outcome(w->plan);
    if (s->variation != VARY_NONE && scale_is_dynamic(suite_scale(s)))
        plan_add_notes(&w->notes, &outcome);
}

/* Passes that do not fit this plan are measured again. */
static int resume_passes(struct suite_work *w, struct err *e)
{
    const struct suite_job *job = w->job;
    int rc = passes_resume(&w->passes, w->plan, w->block, job->past, e);
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

static int conclude(struct suite_work *w, struct err *e)
{
    struct block *b = w->block;
    b->first_argument = b->rows[0].argument;
    int rc = passes_conclude(&w->passes, b, e);
    block_sort(b);
    add_notes(w);
    add_clock_note(w);
    add_plan_notes(w);
    b->notes = text_take(&w->notes);
    b->time_minutes = (w->job->machine->clock.now() - w->started_s) / 60.0;
    return rc;
}

static int end(struct suite_work *w, struct err *e)
{
    int rc = 0;
    if (w->job->machine->rank == 0 && w->block->count > 0)
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
    run_init(&w.run, job->machine, job->params, job->suite);
    w.run.calls = suite_calls(job->suite);
    int rc = begin(&w, e);
    for (order = next_order(&w, rc != 0); order.what == ORDER_VERIFY || order.what == ORDER_MEASURE;
         order = next_order(&w, rc != 0))
        rc = obey(&w, &order, e);
    return end(&w, e) != 0 || order.what == ORDER_GIVE_UP ? -1 : 0;
}
