#include "merge/passes.h"

#include "merge/pass_rows.h"
#include "stats/visit_length.h"

/* The first visit shows that calls are slow at the beginning of the run. */
static const double SLOWER = 1.25;

struct passes passes_start(const struct suite *s, int processes)
{
    return (struct passes){ .suite = s, .wanted = visits_count(s, processes) };
}

/* Has the argument a visit in this pass? Fewer visits than passes are spread evenly over them. */
static bool has_visit(const struct passes *p, const struct row *first)
{
    int visits = first->visits > 0 ? first->visits : p->wanted, before = p->done - 1;
    return first->unsynchronised < VISITS_GIVEN_UP &&
           p->done * visits / p->wanted > before * visits / p->wanted;
}

bool passes_next(struct passes *p, struct plan *plan, const struct block *b, long *argument)
{
    if (p->done == 0)
        return plan_next(plan, argument);
    while (p->at < p->rows && !has_visit(p, &b->rows[p->at]))
        p->at++;
    if (p->at == p->rows)
        return false;
    *argument = b->rows[p->at].asked;
    while (p->at < p->rows && b->rows[p->at].asked == *argument)
        p->at++;
    return true;
}

const struct row *passes_row(const struct passes *p, const struct block *b, long argument)
{
    for (size_t i = 0; i < p->rows; i++)
        if (b->rows[i].asked == argument)
            return &b->rows[i];
    return NULL;
}

/* The time of a call with an argument: as in the first pass; in this pass, on a line through those
 * with the last two arguments, at most in proportion to the last. NaN: unknown. */
static double next_call_s(const struct passes *p, const struct block *b, long argument)
{
    const struct row *row = passes_row(p, b, argument), *before;
    if (row != NULL)
        return 1e-6 * row->stats.cleaned.mean_us;
    before = row = &b->rows[b->count - 1];
    while (before > b->rows && before->asked == row->asked)
        before--;
    double call_us = row->stats.cleaned.mean_us;
    double slope_us =
        (call_us - before->stats.cleaned.mean_us) / (double)(row->asked - before->asked);
    if (!(slope_us > 0.0)) /* also NaN: there is one argument */
        slope_us = 0.0;
    slope_us = fmin(slope_us, call_us / (double)row->asked);
    return 1e-6 * (call_us + slope_us * (double)(argument - row->asked));
}

double passes_next_s(const struct passes *p, struct plan *plan, const struct block *b)
{
    struct passes copy = *p; /* the argument is not handed out */
    double before_s = INFINITY;
    long argument;
    bool chosen =
        p->done == 0 ? plan_peek(plan, &argument) : passes_next(&copy, plan, b, &argument);
    if (b->count == 0 || !chosen)
        return 0.0;
    for (size_t i = 0; i < b->count; i++)
        before_s = fmin(before_s, b->rows[i].before_s);
    before_s += (b->rows[b->count - 1].calls_before + 1) * next_call_s(p, b, argument);
    return isfinite(before_s) ? fmax(0.0, before_s) : 0.0;
}

/* Has an argument a visit in this pass, or in a later one? */
static bool has_visits(struct passes p, const struct block *b)
{
    for (; p.done < p.wanted; p.done++)
        for (size_t i = 0; i < p.rows; i++)
            if (has_visit(&p, &b->rows[i]))
                return true;
    return false;
}

bool passes_go_on(struct passes *p, struct block *b, struct text *out)
{
    size_t from = p->from;
    if (p->done == 0)
        p->rows = b->count;
    /* The visits of this pass that could not start count in the rows of the first pass. */
    for (size_t i = from, at = 0; i < b->count; i++) {
        while (b->rows[at].asked != b->rows[i].asked || row_compare(&b->rows[at], &b->rows[i]) != 0)
            at++; /* every pass has the order of the first */
        b->rows[at].unsynchronised += b->rows[i].kept == 0;
    }
    p->from = b->count;
    p->done++;
    p->at = 0;
    if (!has_visits(*p, b)) {
        p->at = p->rows;
        return false;
    }
    pass_add_text(out, &b->rows[from], b->count - from, b->first_call_us);
    return true;
}

/* Takes a row, which may begin an argument: of the plan, or of the first pass. */
static bool take_row(struct passes *p, struct plan *plan, struct block *b, struct row *row)
{
    bool begins = b->count == p->from || b->rows[b->count - 1].asked != row->asked;
    long expected;
    if (begins && (!passes_next(p, plan, b, &expected) || expected != row->asked))
        return false;
    if (begins && p->done == 0)
        plan_measured(plan, row->stats.cleaned.mean_us);
    block_append(b, row);
    return true;
}

/* Reads a line: one pass, or one of its rows if the pass is not complete. */
static bool take_pass(struct passes *p, struct plan *plan, struct block *b, const char **at)
{
    size_t count;
    long none;
    LOCAL_TEXT text = { 0 };
    bool part = **at == *PASS_PART;
    *at += part;
    bool fits = pass_read_head(at, &count, &b->first_call_us) && (count > 0 || p->done > 0);
    for (size_t i = 0; i < count && fits; i++) {
        struct row row;
        fits = pass_read_row(at, &row) && take_row(p, plan, b, &row);
        row_release(&row);
    }
    return fits && (part || (!passes_next(p, plan, b, &none) && passes_go_on(p, b, &text)));
}

bool passes_resume(struct passes *p, struct plan *plan, struct block *b, const char *past)
{
    bool fits = true;
    while (past != NULL && *past != '\0' && fits)
        fits = take_pass(p, plan, b, &past);
    if (fits)
        return true;
    block_drop_rows(b, 0);
    b->first_call_us = -1.0;
    *p = (struct passes){ .suite = p->suite, .wanted = p->wanted };
    return false;
}

/* Are more calls slow than the visits can leave out? rows: after those of the row. */
static bool is_warming(const struct pass_rows *rows, const struct row *all)
{
    const struct row *first = rows->rows[rows->at - (size_t)all->passes];
    return rows->block->suite->options.warmup == WARMUP_AUTO &&
           first->stats.cleaned.mean_us > SLOWER * all->visit_median_us;
}

/* The shapes of rows of a single visit. */
static void judge_shapes(const struct suite *s, struct block *b)
{
    for (size_t i = 0; i < b->count; i++) {
        struct row *row = &b->rows[i];
        row->shape = shapes_combine(&row, 1, NAN, s->options.error, s->standard_error);
        row->shape.modes = modes_of(row->kept_us, row->kept, b->tick_us);
        row->contended = row->contended != 0;
        row->few_visits = type_has_option(s->type, OPTION_PASSES);
    }
}

void passes_conclude(const struct passes *p, struct block *b)
{
    struct pass_rows rows;
    struct row row;
    struct block all = *b;
    if (p->wanted < 2 || b->count == 0) {
        judge_shapes(p->suite, b);
        block_sort(b);
        return;
    }
    all.rows = NULL;
    all.count = all.capacity = 0;
    pass_rows_init(&rows, b);
    while (pass_rows_next(&rows, &row) != NULL) {
        row.visits = row.visits > 0 ? row.visits : p->wanted;
        row.warming = is_warming(&rows, &row);
        row.few_visits = row.passes < FEWEST_VISITS;
        if (row.passes < 2 && p->suite->options.passes == PASSES_AUTO)
            row.stats.cleaned.error_us = row.stats.all.error_us = NAN;
        if (row.passes < row.visits && row.stop != STOP_UNSYNCHRONISED)
            row.stop = p->lacking;
        block_append(&all, &row);
    }
    pass_rows_release(&rows);
    block_drop_rows(b, 0);
    free(b->rows);
    *b = all;
}
