#include "merge/pass_rows.h"

#include "merge/between.h"
#include "model/suite.h"

static int by_argument(const void *a, const void *b)
{
    const struct row *x = *(struct row *const *)a, *y = *(struct row *const *)b;
    int order = row_compare(x, y);
    return order != 0 ? order : (x > y) - (x < y); /* as in the block */
}

void pass_rows_init(struct pass_rows *p, const struct block *b)
{
    size_t kept = 0; /* the repetitions of all visits of all rows: a row has at most as many */
    for (size_t i = 0; i < b->count; i++)
        kept += (size_t)b->rows[i].kept;
    *p = (struct pass_rows){ .count = b->count, .block = b };
    allocated_array(&p->rows, b->count);
    allocated_array(&p->values, b->count + kept);
    allocated_array(&p->pool, kept);
    allocated_array(&p->repeated, b->count);
    if (b->keeps_visits)
        allocated_array(&p->visit_us, b->count);
    for (size_t i = 0; i < b->count; i++)
        p->rows[i] = &b->rows[i];
    qsort(p->rows, b->count, sizeof(struct row *), by_argument);
}

void pass_rows_release(struct pass_rows *p)
{
    free(p->rows);
    free(p->values);
    free(p->pool);
    free(p->repeated);
    free(p->visit_us);
    *p = (struct pass_rows){ 0 };
}

struct visits {
    struct row **rows;
    size_t n;
    size_t kept;                /* number of first rows that value and error are from */
    const struct pass_rows *of; /* has the scratch and the pool of all visits */
    size_t pooled;
    bool medians; /* not means */
};

/* A row is not synchronised if more than one visit in this number was not: fewer change nothing. */
enum { DISTURBED = 4 };

/* The largest distance of visits that are alike, in errors; with fewer visits, all count. */
static const double ALIKE = 9;
enum { FEWEST_CHOSEN = 4 };

/* A number of a row, by its offset. */
#define AT(member) offsetof(struct row, member)

static double number_at(const struct row *r, size_t at)
{
    return *(const double *)(const void *)((const char *)r + at);
}

static struct between between_some(const struct visits *v, size_t count, size_t number)
{
    for (size_t at = 0; at < count; at++)
        v->of->values[at] = number_at(v->rows[at], number);
    return between_runs(v->of->values, count);
}

static struct between between(const struct visits *v, size_t number)
{
    return between_some(v, v->kept, number);
}

static double mean_of(const struct row *r)
{
    return r->stats.cleaned.mean_us;
}

static int by_time(const void *a, const void *b)
{
    double x = mean_of(*(struct row *const *)a), y = mean_of(*(struct row *const *)b);
    return isnan(x) || isnan(y) ? isnan(x) - isnan(y) : (x > y) - (x < y);
}

/* Sorts the visits by time, unknown ones last, and drops those that are slower than the slowest of
 * the fastest quarter (at least two), which shows the speed of the machine, by more than the
 * accuracy and by more than their errors explain. Returns their number. */
static size_t leave_out_slow(struct visits *v, double within_us, double accuracy)
{
    size_t known = 0, alike = v->n > 8 ? (v->n + 3) / 4 : 2;
    qsort(v->rows, v->n, sizeof(*v->rows), by_time);
    while (known < v->n && !isnan(mean_of(v->rows[known])))
        known++;
    if (known < FEWEST_CHOSEN || isnan(within_us))
        return 0;
    double us = mean_of(v->rows[alike - 1]);
    double apart_us = fmax(accuracy * fabs(us), ALIKE * within_us);
    while (alike < known && mean_of(v->rows[alike]) <= us + apart_us)
        alike++;
    v->kept = alike;
    return known - alike;
}

static struct extra_value between_visits(const struct visits *v, size_t value, size_t error)
{
    struct between own = between(v, error), all = between(v, value);
    if (v->medians)
        return (struct extra_value){ all.median, between_error(&all, &own) };
    return (struct extra_value){ all.mean, between_mean_error(&all, &own) };
}

/* Takes a summary, whose offset in a row is of. */
static void take_summary(const struct visits *v, size_t of, struct summary *s)
{
    struct extra_value time = between_visits(v, of + offsetof(struct summary, mean_us),
                                             of + offsetof(struct summary, error_us));
    s->mean_us = time.value;
    s->error_us = time.error;
}

/* Takes the smallest time, and what its visit has; its error, half the distance to the next: a
 * bootstrap repeats it. Sorts the visits by time. */
static void take_smallest(const struct visits *v, struct row *r)
{
    qsort(v->rows, v->n, sizeof(*v->rows), by_time);
    const struct row *first = v->rows[0];
    double next_us = v->n < 2 ? NAN : mean_of(v->rows[1]);
    double error_us = (next_us - mean_of(first)) / 2.0;
    r->stats.cleaned.mean_us = mean_of(first);
    r->stats.cleaned.error_us =
        isnan(next_us) ? between(v, AT(stats.cleaned.error_us)).median : error_us;
    r->overhead_us = first->overhead_us;
    memcpy(r->extra, first->extra, sizeof(r->extra));
}

/* Are the first count plain numbers of the visit, say ranks, those of the row? */
static bool has_numbers(const struct row *visit, const struct row *r, const struct extra_info *x,
                        int count)
{
    for (int i = 0; i < count; i++)
        if (x[i].unit == NULL && !same_number(visit->extra[i].value, r->extra[i].value))
            return false;
    return true;
}

/* Takes extra value i: what has a unit between visits, a plain number from the most visits that
 * have the numbers before it, so that all numbers of a row are those of one visit. */
static void take_extra(const struct visits *v, const struct extra_info *x, int i, struct row *r)
{
    size_t of = AT(extra) + (size_t)i * sizeof(struct extra_value);
    int n = 0;
    if (x[i].unit != NULL) {
        r->extra[i] = between_visits(v, of + offsetof(struct extra_value, value),
                                     of + offsetof(struct extra_value, error));
        return;
    }
    for (size_t at = 0; at < v->kept; at++)
        if (has_numbers(v->rows[at], r, x, i))
            v->of->values[n++] = v->rows[at]->extra[i].value;
    r->extra[i] = (struct extra_value){ stats_most_frequent(v->of->values, n), NAN };
}

/* The visits with repetitions. */
static struct pool_visits known_visits(const struct visits *v)
{
    struct pool_visits known = { .repeated = v->of->repeated };
    double least_us = INFINITY, most_us = -INFINITY;
    for (size_t at = 0; at < v->n; at++) {
        double us = mean_of(v->rows[at]);
        if (v->rows[at]->kept == 0)
            continue;
        known.fastest = us < least_us ? known.count : known.fastest;
        known.slowest = us > most_us ? known.count : known.slowest;
        least_us = fmin(least_us, us);
        most_us = fmax(most_us, us);
        known.count++;
    }
    return known;
}

static void pool_visits(struct visits *v)
{
    int visit = 0;
    v->pooled = 0;
    for (size_t at = 0; at < v->n; at++) {
        const struct row *r = v->rows[at];
        double each = (double)(r->stats.all.count - r->stats.outliers) / r->kept;
        for (int i = 0; i < r->kept; i++)
            v->of->pool[v->pooled++] = (struct pooled){ r->kept_us[i], 1.0 / r->kept, each, visit };
        visit += r->kept > 0;
    }
    pool_sort(v->of->pool, v->pooled);
}

/* Do at least half of the visits have repetitions of both modes? Else the visits differ. */
static bool are_in_visits(const struct visits *v, const struct modes *m)
{
    double middle_us = (m->low_us + m->high_us) / 2;
    size_t have = 0;
    for (size_t at = 0; at < v->n; at++) {
        const struct row *r = v->rows[at];
        have += r->kept > 0 && r->kept_us[0] < middle_us && r->kept_us[r->kept - 1] > middle_us;
    }
    return 2 * have >= v->n;
}

static void take_pool(const struct visits *v, double tick_us, struct row *r)
{
    for (size_t i = 0; i < v->pooled; i++)
        v->of->values[i] = v->of->pool[i].us;
    struct modes modes = modes_of(v->of->values, (int)v->pooled, tick_us);
    if (modes.high > 0 && are_in_visits(v, &modes))
        r->shape.modes = modes;
    if (v->pooled == 0)
        return;
    r->stats.p25_us = pool_percentile(v->of->pool, v->pooled, 0.25);
    r->stats.median_us = pool_percentile(v->of->pool, v->pooled, 0.5);
    r->stats.p75_us = pool_percentile(v->of->pool, v->pooled, 0.75);
}

/* Time: the mean of the repetitions within the cut. Its error is not below what follows from those
 * of the visits, which a few that agree by chance hide. */
static void take_cut(const struct visits *v, double cut_quantile, struct row *r)
{
    struct summary *s = &r->stats.cleaned;
    struct between times = between(v, AT(stats.cleaned.mean_us));
    struct between own = between(v, AT(stats.cleaned.error_us));
    const struct pool_visits known = known_visits(v);
    double left;
    if (v->pooled == 0)
        return;
    s->mean_us = pool_mean(v->of->pool, v->pooled, cut_quantile, NULL, &left);
    s->count = (int)lround(left);
    if (known.count >= FEWEST_VISITS)
        times.mean_error = pool_error(v->of->pool, v->pooled, cut_quantile, &known);
    s->error_us = between_mean_error(&times, &own);
}

static void add_pass(struct row *all, const struct row *r)
{
    all->stats.cleaned.count += r->stats.cleaned.count;
    all->stats.all.count += r->stats.all.count;
    all->stats.outliers += r->stats.outliers;
    all->stats.min_us = fmin(all->stats.min_us, r->stats.min_us);
    all->stats.max_us = fmax(all->stats.max_us, r->stats.max_us);
    all->warmup += r->warmup;
    all->invalid += r->invalid;
    all->residual_us = fmax(all->residual_us, r->residual_us);
    all->looking += r->looking;
    all->passes++;
    if (all->place == NULL) /* in a pass of an earlier launch */
        all->place = r->place;
}

/* Why the repetitions ended: by accuracy, if every visit ended so. */
static enum stop stop_of(const struct visits *v)
{
    enum stop stop = STOP_ACCURACY;
    size_t unsynchronised = 0;
    for (size_t at = 0; at < v->n; at++) {
        if (v->rows[at]->stop == STOP_UNSYNCHRONISED)
            unsynchronised++;
        else if (v->rows[at]->stop != STOP_ACCURACY)
            stop = v->rows[at]->stop;
    }
    return DISTURBED * unsynchronised > v->n ? STOP_UNSYNCHRONISED : stop;
}

static const struct row *typical(const struct visits *v, double time_us)
{
    const struct row *best = v->rows[0];
    for (size_t at = 1; at < v->n; at++)
        if (fabs(mean_of(v->rows[at]) - time_us) < fabs(mean_of(best) - time_us) ||
            isnan(mean_of(best)) || best->nodes == 0)
            best = v->rows[at];
    return best;
}

/* Takes other properties of the visits; doubtful ones that count make the row doubtful. */
static void take_visits(const struct visits *v, double accuracy, struct row *r)
{
    struct between all = between_some(v, v->n, AT(stats.cleaned.mean_us));
    double least_us = fmax(accuracy * fabs(all.median), ALIKE * r->within_us);
    r->visit_median_us = between(v, AT(stats.cleaned.mean_us)).median;
    r->contended = 0;
    for (size_t at = 0; at < v->kept; at++) {
        v->of->values[at] = mean_of(v->rows[at]);
        r->contended |= v->rows[at]->contended & CONTENDED;
    }
    stats_sort(v->of->values, (int)v->kept);
    r->states = states_of(v->of->values, (int)v->kept, least_us);
}

static void take_value(struct visits *v, const struct suite *s, struct row *r)
{
    if (v->medians)
        r->disturbed = (int)leave_out_slow(v, r->within_us, s->standard_error);
    const struct extra_info *x = suite_extra(s);
    bool smallest = s->options.estimate == ESTIMATE_MINIMUM;
    if (smallest)
        take_smallest(v, r);
    else if (v->medians)
        take_summary(v, AT(stats.cleaned), &r->stats.cleaned);
    else
        take_cut(v, s->cut_quantile, r);
    for (int i = 0; !smallest && x[i].name != NULL; i++)
        take_extra(v, x, i, r);
    /* Mean: of all visits, which weigh the same, whatever the estimate of time is. */
    struct visits all = *v;
    all.kept = v->n;
    all.medians = false;
    take_summary(&all, AT(stats.all), &r->stats.all);
    take_visits(v, s->standard_error, r);
    qsort(v->rows, v->n, sizeof(*v->rows), by_argument);
}

static struct row combine(const struct pass_rows *p, size_t from, size_t to)
{
    const struct suite *s = p->block->suite;
    struct visits v = { .rows = &p->rows[from],
                        .n = to - from,
                        .kept = to - from,
                        .of = p,
                        .medians = s->options.estimate == ESTIMATE_MEDIAN };
    struct row r = *v.rows[0];
    r.stats.cleaned.count = r.stats.all.count = r.stats.outliers = r.invalid = r.passes = 0;
    r.warmup = r.kept = 0;
    r.kept_us = NULL;
    r.looking = 0;
    for (size_t at = 0; at < v.n; at++)
        add_pass(&r, v.rows[at]);
    r.looking /= r.passes;
    for (size_t at = 0; at < v.n && p->visit_us != NULL; at++)
        p->visit_us[at] = mean_of(v.rows[at]);
    r.visit_us = p->visit_us;
    r.within_us = between(&v, AT(stats.cleaned.error_us)).median;
    pool_visits(&v);
    take_value(&v, s, &r);
    if (stats_are_few(&r.stats)) { /* also if they are of several passes */
        r.stats.cleaned.error_us = r.stats.all.error_us = NAN;
        for (int i = 0; i < MAX_EXTRA; i++)
            r.extra[i].error = NAN;
    }
    r.shape =
        shapes_combine(v.rows, v.n, r.stats.cleaned.mean_us, s->options.error, s->standard_error);
    take_pool(&v, p->block->tick_us, &r);
    r.stop = stop_of(&v);
    if (r.stop == STOP_ACCURACY && !stats_are_accurate(&r.stats, s->standard_error))
        r.stop = STOP_VISITS;
    const struct row *shown = typical(&v, r.stats.cleaned.mean_us);
    r.nodes = shown->nodes;
    r.node_us = shown->node_us;
    return r;
}

struct row *pass_rows_next(struct pass_rows *p, struct row *all)
{
    size_t from = p->at;
    while (p->at < p->count && row_compare(p->rows[p->at], p->rows[from]) == 0)
        p->at++;
    if (from == p->count)
        return NULL;
    *all = combine(p, from, p->at);
    return p->rows[from];
}
