#include "merge/passes.h"

#include "merge/pass_rows.h"
#include "model/matching.h"
#include "model/suite.h"

#include <math.h>

/* Visits if the file does not set their number, provided that each can have repetitions that show
 * an error; and the most for arguments for which a process waited for a CPU. */
enum { VISITS = 10, VISITS_MOST = 20 };

/* Repetitions that use each root and matching once. */
static int one_turn(const struct suite *s, int processes)
{
    int turn = FEWEST_REPETITIONS;
    if (s->options.root == ROOT_ROTATE && processes > turn)
        turn = processes;
    int matchings = suite_arguments(s) == ARGUMENTS_PAIRS ? 1 : matching_count(s, processes);
    return matchings > turn ? matchings : turn;
}

struct limits passes_accuracy(const struct suite *s)
{
    return (struct limits){ .min_repetition = s->min_repetition,
                            .standard_error = s->standard_error,
                            .cut_quantile = s->cut_quantile,
                            .error = s->options.error };
}

/* The least repetitions for the accuracy; a limit of time alone ends a visit. */
static double repetitions_of(const struct suite *s)
{
    const struct limits l = passes_accuracy(s);
    double least = s->time_measurement_minutes > 0.0 ? s->max_repetition : stop_least(&l);
    return fmin(least, s->max_repetition);
}

int passes_of(const struct suite *s, int processes)
{
    double permitted = repetitions_of(s) / one_turn(s, processes);
    if (!type_has_option(s->type, OPTION_PASSES))
        return 1;
    if (s->options.passes != PASSES_AUTO)
        return s->options.passes;
    return permitted < 1.0 ? 1 : permitted < VISITS ? (int)permitted : VISITS;
}

static int share(const struct suite *s, int visits)
{
    return (s->max_repetition - 1) / visits + 1;
}

int passes_share(const struct suite *s, int processes)
{
    return share(s, passes_of(s, processes));
}

struct passes passes_start(const struct suite *s, int processes)
{
    struct passes p = { .suite = s, .wanted = (size_t)passes_of(s, processes) };
    p.most = p.wanted < VISITS || s->options.passes != PASSES_AUTO ? p.wanted : VISITS_MOST;
    return p;
}

bool passes_follow_plan(const struct passes *p)
{
    return p->done == 0;
}

bool passes_next(struct passes *p, struct plan *plan, const struct block *b, long *argument)
{
    if (passes_follow_plan(p))
        return plan_next(plan, argument);
    while (p->at < p->rows && !b->rows[p->at].again)
        p->at++;
    if (p->at == p->rows)
        return false;
    *argument = b->rows[p->at].asked;
    while (p->at < p->rows && b->rows[p->at].asked == *argument)
        p->at++;
    return true;
}

/* The fewest visits that may agree; Student's factor for the error between them. */
enum { AGREEING = 3 };
static const double AGREEING_ERROR = 2.27;

/* With Max_Repetition below the least number, accuracy never ends a visit. After Min_Repetition, it
 * ends a row whose visits agree, unless the file says how many visits to make. */
static bool visits_agree(const struct passes *p, const struct row *r)
{
    const struct suite *s = p->suite;
    const struct limits l = passes_accuracy(s);
    bool never = s->time_measurement_minutes <= 0.0 && stop_least(&l) > s->max_repetition;
    return never && s->options.passes == PASSES_AUTO && r->passes >= AGREEING &&
           r->stats.all.count >= s->min_repetition && !r->shape.unsteady &&
           stats_are_accurate(&r->stats, s->standard_error / AGREEING_ERROR);
}

/* Did a process wait in too many visits, and do the limits permit another one? Differences between
 * the times of visits are no reason: more visits of some rows would make their means too small. */
static bool lacks_visits(const struct passes *p, const struct row *r)
{
    const struct suite *s = p->suite;
    return s->time_measurement_minutes <= 0.0 &&
           r->stats.all.count + share(s, (int)p->wanted) <= s->max_repetition &&
           r->passes < (int)p->wanted;
}

static bool mark_next(const struct passes *p, struct block *b)
{
    struct pass_rows rows;
    struct row all;
    struct err e = { "" };
    bool any = false;
    if (p->done >= p->most || p->rows == 0 || pass_rows_init(&rows, b, &e) != 0)
        return false;
    for (struct row *first; (first = pass_rows_next(&rows, &all)) != NULL;) {
        first->again = !visits_agree(p, &all) && (p->done < p->wanted || lacks_visits(p, &all));
        any = any || first->again;
    }
    pass_rows_release(&rows);
    return any;
}

bool passes_go_on(struct passes *p, struct block *b, struct text *out)
{
    size_t from = p->from;
    if (p->done == 0)
        p->rows = b->count;
    p->done++;
    p->from = b->count;
    p->at = 0;
    if (!mark_next(p, b)) {
        p->at = p->rows;
        return false;
    }
    pass_add_text(out, &b->rows[from], b->count - from, b->first_call_us);
    return true;
}

/* Begins an argument of the first pass, from the plan, or of the others, from the first. */
static int begin_argument(struct passes *p, struct plan *plan, const struct block *b,
                          const struct row *row, struct err *e)
{
    long expected;
    if (!passes_next(p, plan, b, &expected) || expected != row->asked)
        return 1;
    return passes_follow_plan(p) ? plan_measured(plan, expected, row->stats.cleaned.mean_us, e) : 0;
}

static int take_row(struct passes *p, struct plan *plan, struct block *b, struct row *row,
                    struct err *e)
{
    bool begins = b->count == p->from || b->rows[b->count - 1].asked != row->asked;
    int rc = begins ? begin_argument(p, plan, b, row, e) : 0;
    return rc == 0 ? block_append(b, row, e) : rc;
}

/* Reads a line: one pass, or one of its rows if the pass is not complete. */
static int take_pass(struct passes *p, struct plan *plan, struct block *b, const char **at,
                     struct err *e)
{
    size_t count;
    long none;
    struct text text = { 0 };
    bool part = **at == *PASS_PART;
    *at += part;
    int rc = pass_read_head(at, &count, &b->first_call_us) && count > 0 ? 0 : 1;
    for (size_t i = 0; i < count && rc == 0; i++) {
        struct row row;
        rc = pass_read_row(at, &row) ? take_row(p, plan, b, &row, e) : 1;
        row_release(&row);
    }
    if (rc == 0 && !part && (passes_next(p, plan, b, &none) || !passes_go_on(p, b, &text)))
        rc = 1;
    text_release(&text);
    return rc;
}

int passes_resume(struct passes *p, struct plan *plan, struct block *b, const char *past,
                  struct err *e)
{
    int rc = 0;
    while (past != NULL && *past != '\0' && rc == 0)
        rc = take_pass(p, plan, b, &past, e);
    if (rc == 0)
        return 0;
    block_drop_rows(b, 0);
    b->first_call_us = -1.0;
    *p = (struct passes){ .suite = p->suite, .wanted = p->wanted, .most = p->most };
    return rc;
}

static void judge_shapes(const struct suite *s, struct block *b)
{
    for (size_t i = 0; i < b->count; i++) {
        struct row *row = &b->rows[i];
        row->shape = shapes_combine(&row, 1, NAN, s->options.error, s->standard_error);
        row->shape.modes = modes_of(row->kept_us, row->kept, b->tick_us);
        row->contended = row->contended != 0;
    }
}

int passes_conclude(const struct passes *p, struct block *b, struct err *e)
{
    struct pass_rows rows;
    struct row row;
    struct block all = *b;
    if (p->wanted < 2 || b->count == 0) {
        judge_shapes(p->suite, b);
        block_sort(b);
        return 0;
    }
    all.rows = NULL;
    all.count = all.capacity = 0;
    int rc = pass_rows_init(&rows, b, e);
    while (rc == 0 && pass_rows_next(&rows, &row) != NULL) {
        row.agreed = row.passes < (int)p->wanted && visits_agree(p, &row);
        if (row.passes < (int)p->wanted && row.stop != STOP_UNSYNCHRONISED)
            row.stop = row.agreed ? STOP_ACCURACY : p->lacking;
        rc = block_append(&all, &row, e);
    }
    pass_rows_release(&rows);
    struct block *unused = rc == 0 ? b : &all;
    block_drop_rows(unused, 0);
    free(unused->rows);
    if (rc == 0)
        *b = all;
    return rc;
}
