/* The facts of a suite's block. */
#include "model/spreading.h"
#include "params/tables.h"
#include "patterns/op.h"
#include "patterns/suite_work.h"
#include "results/fact.h"

/* "kept, paced, one buffer"; nothing for the defaults of 4.1. */
static void note_data(struct suite_work *w)
{
    const struct suite_options *x = &w->job.suite->options;
    bool paced = x->paced && type_has_option(w->job.suite->type, OPTION_PACED);
    static const char *const buffers[] = {
        [BUFFERS_TWO] = "", [BUFFERS_ONE] = ", one buffer", [BUFFERS_MANY] = ", many buffers"
    };
    if (repetition_rewrites(&w->run) || paced || x->buffers != BUFFERS_TWO)
        fact_addf(&w->block.notes, FACT_SUITE_DATA, "%s%s%s", data_names[x->data],
                  paced ? ", paced" : "", buffers[x->buffers]);
}

/* A line for each number of processes, or of the spread. */
static void note_spread(struct suite_work *w)
{
    const struct suite *s = w->job.suite;
    const struct block *b = &w->block;
    bool by_row = suite_varies(s, processes) || suite_varies(s, spread);
    struct text lines = { 0 };
    if (!type_has_option(s->type, OPTION_SPREAD))
        return;
    for (size_t i = 0; i < (by_row ? b->count : 1); i++) {
        const struct setting at = suite_setting(s, b->processes, b->rows[i].argument);
        const struct spread x = spread_of(s, at.spread);
        int n = at.processes / s->options.groups;
        text_add(&lines, "%s", i == 0 ? "" : "\n");
        inequality_text(&x, n, (s->type->traits & TYPE_ALL_TO_ALL) != 0, &lines);
    }
    fact_add_text(&w->block.notes, FACT_SPREAD, &lines);
}

/* The definition of the time and mean of a row, which does not change again. */
enum { RULE = 1 };

static void note_passes(struct suite_work *w)
{
    const struct passes *p = &w->passes;
    enum estimate estimate = w->job.suite->options.estimate;
    static const char *const meaning[] = {
        [ESTIMATE_CUT] = "times are of the repetitions of all visits, errors are between visits",
        [ESTIMATE_MEDIAN] = "times are medians over the visits without slow ones, errors are "
                            "between visits",
        [ESTIMATE_MINIMUM] = "times are the smallest of the visits, errors half the distance to "
                             "the second smallest",
    };
    bool fewer = false;
    for (size_t i = 0; i < w->block.count; i++)
        fewer = fewer || w->block.rows[i].visits < p->wanted;
    if (p->wanted > 1)
        fact_write(&w->block.notes, FACT_PASSES,
                   { .number = !w->recalled ? NAN : fmax(p->done, 1.0) }, { .number = p->wanted },
                   { .text = fewer ? "or fewer" : NULL }, { .text = meaning[estimate] });
    if (p->wanted > 1 && !w->recalled)
        fact_write(&w->block.notes, FACT_SPAN, { .number = w->last_s - w->first_s });
    if (type_has_option(w->job.suite->type, OPTION_PASSES))
        fact_add(&w->block.notes, FACT_ESTIMATE,
                 value_name(&key_table.rows[OPTION_ESTIMATE], (int)estimate));
    fact_write(&w->block.notes, FACT_RULE, { .number = RULE });
}

/* "bcast, 4 processes, coll_tuned_bcast_algorithm", then a line for each algorithm. */
static void note_algorithms(struct suite_work *w)
{
    const struct suite *s = w->job.suite;
    const struct algorithms *a = &s->algorithms;
    bool varied = suite_varies(s, algorithm);
    struct text value = { 0 };
    if (!suite_chooses(s))
        return;
    fact_fill(&value, FACT_ALGORITHMS, { .text = s->type->collective },
              { .number = w->block.processes }, { .text = a->variable });
    for (size_t i = 0; i < a->count; i++) {
        const struct algorithm *of = &a->list[i];
        const char *why = of->misfit;
        if (!varied && of->number != a->number)
            continue;
        if (why == NULL && varied && !block_has(&w->block, of->number))
            why = "the library does not take it here";
        fact_fill(&value, FACT_ALGORITHMS, { .number = of->number }, { .text = of->name },
                  { .text = why },
                  { .text = varied || w->refused.len == 0 ? NULL : text_get(&w->refused) });
    }
    fact_add_text(&w->block.notes, FACT_ALGORITHMS, &value);
}

/* "send_in", then a line for each kind of memory. */
static void note_memories(struct suite_work *w)
{
    const struct algorithms *a = &w->job.suite->algorithms;
    struct text value = { 0 };
    if (!suite_varies_memory(w->job.suite))
        return;
    fact_fill(&value, FACT_MEMORIES, { .text = a->variable });
    for (size_t i = 0; i < a->count; i++)
        fact_fill(&value, FACT_MEMORIES, { .number = a->list[i].number },
                  { .text = a->list[i].name }, { .text = a->list[i].misfit });
    fact_add_text(&w->block.notes, FACT_MEMORIES, &value);
}

static void note_processes(struct suite_work *w)
{
    const struct resources *res = w->job.resources;
    int partner = suite_partner(w, res->size);
    enum variation varied = w->job.suite->variation;
    if (suite_has(w, PATTERN_ONE_PAIR) && varied != VARY_NODES && varied != VARY_DISTANCE)
        fact_write(&w->block.notes, FACT_PARTNER, { .number = partner },
                   { .text = res->hosts.ranks[partner].host });
    if (pattern_of(w->job.suite)->note != NULL)
        pattern_of(w->job.suite)->note(&w->run, &w->block.notes);
    if (w->job.op->note != NULL)
        w->job.op->note(&w->run, &w->block.notes);
}

static void add_notes(struct suite_work *w)
{
    const struct application *a = w->job.suite->type->application;
    bool local = suite_has(w, PATTERN_LOCAL);
    if (suite_has_node_times(w))
        fact_add(&w->block.notes, FACT_NODETIMES, "of the repetition nearest to the reported time");
    if (!w->recalled)
        note_processes(w);
    note_data(w);
    if (a != NULL && a->lists > 0)
        fact_write(&w->block.notes, FACT_LISTS, { .number = APPLICATION_SEED },
                   { .number = local ? APPLICATION_LISTS_BUILT : 1 },
                   { .text = local ? "s in turn" : NULL });
    note_spread(w);
    if (w->job.suite->options.loop > 1)
        fact_addf(&w->block.notes, FACT_LOOP,
                  "%d calls in a row in one interval, pipelined; times are per call",
                  w->job.suite->options.loop);
    note_passes(w);
    note_algorithms(w);
    note_memories(w);
    if (w->job.suite->options.cache == CACHE_COLD)
        fact_addf(&w->block.notes, FACT_SUITE_CACHE, "cold: each repetition uses other memory%s",
                  w->recalled || resources_evicts(w->job.resources)
                      ? ""
                      : ", but @MEMORY is too small to leave the cache");
}

static void note_time(struct suite_work *w)
{
    const struct plan_outcome o = plan_outcome(w->plan);
    const struct block *b = &w->block;
    const char *limit = w->until_s > 0.0 ? "@TIMERUN" : "Time_Suite";
    size_t lacking = 0;
    for (size_t i = 0; i < b->count; i++)
        lacking += b->rows[i].passes < b->rows[i].visits;
    if (!w->block.late)
        return;
    if (o.swept < o.sweep)
        fact_addf(&w->block.notes, FACT_NOTE, "ended by %s: %zu of %zu arguments measured", limit,
                  o.swept, o.sweep);
    else if (lacking > 0)
        fact_addf(&w->block.notes, FACT_NOTE,
                  "ended by %s: %zu of %zu arguments have fewer than %d visits", limit, lacking,
                  b->count, w->passes.wanted);
}

void suite_add_facts(struct suite_work *w)
{
    if (w->block.hopeless)
        fact_addf(&w->block.notes, FACT_NOTE, BLOCK_HOPELESS, HOPELESS_ROWS);
    if (!w->recalled && w->job.params->verify == VERIFY_YES &&
        verify_is_possible(w->job.suite, w->job.op))
        fact_add_wide(&w->block.notes, FACT_VERIFIED, "no");
    note_time(w);
    add_notes(w);
    if (!w->recalled && suite_has(w, PATTERN_GLOBAL_CLOCK)) {
        double *worst_s = &w->job.resources->global.residual_s;
        fact_write(&w->block.notes, FACT_SUITE_RESIDUAL, { .number = w->residual_s * 1e6 },
                   { .number = w->refreshed });
        *worst_s = fmax(*worst_s, w->residual_s);
    }
    const struct suite *s = w->job.suite;
    if ((!w->recalled || w->passes.done > 0) && suite_arguments(s) != ARGUMENTS_NONE &&
        scale_is_dynamic(suite_scale(s))) {
        struct plan_outcome outcome = plan_outcome(w->plan);
        plan_add_notes(&w->block.notes, &outcome);
    }
    if (!w->recalled)
        contention_suite_facts(&w->job.resources->contention, &w->block.notes);
}
