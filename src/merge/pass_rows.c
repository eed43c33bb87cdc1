#include "merge/pass_rows.h"

#include "merge/between.h"
#include "model/suite.h"

#include <math.h>

static int by_argument(const void *a, const void *b)
{
    const struct row *x = *(struct row *const *)a, *y = *(struct row *const *)b;
    int order = row_compare(x, y);
    return order != 0 ? order : (x > y) - (x < y); /* as in the block */
}

int pass_rows_init(struct pass_rows *p, const struct block *b, struct err *e)
{
    *p = (struct pass_rows){ .count = b->count,
                             .suite = b->suite,
                             .rows = malloc((b->count + 1) * sizeof(struct row *)),
                             .values = malloc((b->count + 1) * sizeof(double)) };
    if (p->rows == NULL || p->values == NULL) {
        pass_rows_release(p);
        return err_no_memory(e, (b->count + 1) * (sizeof(struct row *) + sizeof(double)));
    }
    for (size_t i = 0; i < b->count; i++)
        p->rows[i] = &b->rows[i];
    qsort(p->rows, b->count, sizeof(struct row *), by_argument);
    return 0;
}

void pass_rows_release(struct pass_rows *p)
{
    free(p->rows);
    free(p->values);
    *p = (struct pass_rows){ 0 };
}

/* The rows of one argument. */
struct visits {
    struct row **rows;
    size_t n;
    size_t fast;    /* number of first rows that are faster than usual, */
    size_t alike;   /* and of those that value and error are from */
    double *values; /* scratch for one of each */
};

/* A row is contended, or not synchronised, if more than one of this number of visits was: fewer do
 * not change value and error. */
enum { DISTURBED = 4 };

/* Visits are alike within this number of errors; fewer visits than this all count. */
static const double ALIKE = 9;
enum { FEWEST_CHOSEN = 4 };

/* A number of a row, by its offset. */
#define AT(member) offsetof(struct row, member)

static double number_at(const struct row *r, size_t at)
{
    return *(const double *)(const void *)((const char *)r + at);
}

static struct between between_some(const struct visits *v, size_t from, size_t to, size_t number)
{
    for (size_t at = from; at < to; at++)
        v->values[at - from] = number_at(v->rows[at], number);
    return between_runs(v->values, to - from);
}

static struct between between(const struct visits *v, size_t number)
{
    return between_some(v, 0, v->alike, number);
}

static double mean_of(const struct row *r)
{
    return r->stats.cleaned.mean_us;
}

/* The row of the pass with the smallest time; the first one if none has a time. */
static const struct row *smallest(const struct visits *v)
{
    const struct row *best = v->rows[0];
    for (size_t at = 0; at < v->n; at++)
        if (!(mean_of(best) <= mean_of(v->rows[at])) && !isnan(mean_of(v->rows[at])))
            best = v->rows[at];
    return best;
}

/* --- the visits that other programs did not disturb --- */

static int by_time(const void *a, const void *b)
{
    double x = mean_of(*(struct row *const *)a), y = mean_of(*(struct row *const *)b);
    return isnan(x) || isnan(y) ? isnan(x) - isnan(y) : (x > y) - (x < y);
}

/* A quarter of the visits, at least two, says how fast the machine is if nothing disturbs it. */
static size_t quarter_of(size_t visits)
{
    return visits > 8 ? (visits + 3) / 4 : 2;
}

/* Sorts the visits by time, unknown ones last, and finds those that differ from the slowest of the
 * fastest quarter by more than the accuracy and by more than their errors explain: slower ones are
 * disturbed and left out. Returns their number. */
static size_t leave_out_disturbed(struct visits *v, double within_us, double accuracy)
{
    size_t known = 0, alike = quarter_of(v->n);
    qsort(v->rows, v->n, sizeof(*v->rows), by_time);
    while (known < v->n && !isnan(mean_of(v->rows[known])))
        known++;
    if (known < FEWEST_CHOSEN || isnan(within_us))
        return 0;
    double us = mean_of(v->rows[alike - 1]);
    double apart_us = fmax(accuracy * fabs(us), ALIKE * within_us);
    while (mean_of(v->rows[v->fast]) < us - apart_us)
        v->fast++;
    while (alike < known && mean_of(v->rows[alike]) <= us + apart_us)
        alike++;
    v->alike = alike;
    return known - alike;
}

/* By how much the number of some visits may be another one in another launch: two binomial
 * deviations. */
static double uncertain(size_t some, size_t n)
{
    return 2 * sqrt((double)some * (1 - (double)some / (double)n));
}

/* Half the distance to the others, of the slower ones to the nearer two thirds, if the value of
 * another launch may be theirs. */
static double half_way(const struct visits *v, double us, size_t value)
{
    double quarter = (double)quarter_of(v->n), half_us = 0;
    if ((double)v->alike - uncertain(v->alike, v->n) < quarter)
        half_us =
            fabs(between_some(v, v->alike, (v->alike + 2 * v->n + 2) / 3, value).median - us) / 2;
    if ((double)v->fast + uncertain(v->fast, v->n) >= quarter)
        half_us = fmax(half_us, fabs(between_some(v, 0, v->fast, value).median - us) / 2);
    return half_us;
}

/* A value and its error. */
static struct extra_value between_visits(const struct visits *v, size_t value, size_t error)
{
    struct between within = between(v, error), alike = between(v, value);
    double error_us = between_error(&alike, &within);
    if (!isnan(error_us))
        error_us = fmax(error_us, half_way(v, alike.median, value));
    return (struct extra_value){ alike.median, error_us };
}

/* of: the offset of the summary in a row. */
static void take_summary(const struct visits *v, size_t of, struct summary *s)
{
    struct extra_value time = between_visits(v, of + offsetof(struct summary, mean_us),
                                             of + offsetof(struct summary, error_us));
    s->mean_us = time.value;
    s->error_us = time.error;
}

/* Half the distance from the smallest value to the next one: a bootstrap would repeat the smallest
 * one itself most of the time. */
static void take_smallest(const struct visits *v, size_t of, struct summary *s)
{
    double first = INFINITY, second = INFINITY;
    for (size_t at = 0; at < v->n; at++) {
        double value = number_at(v->rows[at], of + offsetof(struct summary, mean_us));
        if (value < first) {
            second = first;
            first = value;
        } else if (value < second) {
            second = value;
        }
    }
    s->mean_us = isinf(first) ? NAN : first;
    s->error_us = isinf(second) ? between(v, of + offsetof(struct summary, error_us)).median
                                : (second - first) / 2.0;
}

static struct extra_value take_extra(const struct visits *v, int i, bool has_unit)
{
    size_t of = AT(extra) + (size_t)i * sizeof(struct extra_value);
    if (has_unit)
        return between_visits(v, of + offsetof(struct extra_value, value),
                              of + offsetof(struct extra_value, error));
    for (size_t at = 0; at < v->alike; at++)
        v->values[at] = v->rows[at]->extra[i].value;
    return (struct extra_value){ most_frequent(v->values, v->alike), NAN };
}

static void take_medians(const struct visits *v, const struct extra_info *x, struct row *r)
{
    take_summary(v, AT(stats.cleaned), &r->stats.cleaned);
    take_summary(v, AT(stats.all), &r->stats.all);
    r->stats.p25_us = between(v, AT(stats.p25_us)).median;
    r->stats.median_us = between(v, AT(stats.median_us)).median;
    r->stats.p75_us = between(v, AT(stats.p75_us)).median;
    for (int i = 0; x[i].name != NULL; i++)
        r->extra[i] = take_extra(v, i, x[i].unit != NULL);
}

static void add_pass(struct row *all, const struct row *r)
{
    all->stats.cleaned.count += r->stats.cleaned.count;
    all->stats.all.count += r->stats.all.count;
    all->stats.outliers += r->stats.outliers;
    all->stats.min_us = fmin(all->stats.min_us, r->stats.min_us);
    all->stats.max_us = fmax(all->stats.max_us, r->stats.max_us);
    all->invalid += r->invalid;
    all->residual_us = fmax(all->residual_us, r->residual_us);
    all->looking += r->looking;
    all->contended += r->contended;
    all->passes++;
    if (all->place == NULL) /* a pass of an earlier launch has none */
        all->place = r->place;
}

/* Why there were no more repetitions. */
static enum stop stop_of(const struct visits *v, const struct row *all, double standard_error)
{
    enum stop stop = STOP_ACCURACY;
    size_t unsynchronised = 0;
    for (size_t at = 0; at < v->n; at++) {
        if (v->rows[at]->stop == STOP_UNSYNCHRONISED)
            unsynchronised++;
        else if (v->rows[at]->stop != STOP_ACCURACY)
            stop = v->rows[at]->stop;
    }
    if (DISTURBED * unsynchronised > v->n)
        return STOP_UNSYNCHRONISED;
    bool reached = stop_reached(STOP_NONE, &all->stats, standard_error);
    return stop == STOP_ACCURACY && !reached ? STOP_REPETITIONS : stop;
}

/* The row whose time is nearest; the first of them. */
static const struct row *typical(const struct visits *v, double time_us)
{
    const struct row *best = v->rows[0];
    for (size_t at = 1; at < v->n; at++)
        if (fabs(mean_of(v->rows[at]) - time_us) < fabs(mean_of(best) - time_us) ||
            best->nodes == 0)
            best = v->rows[at];
    return best;
}

static struct row combine(const struct pass_rows *p, size_t from, size_t to)
{
    struct visits v = { &p->rows[from], to - from, 0, to - from, &p->values[from] };
    bool minimum = p->suite->options.estimate == ESTIMATE_MINIMUM;
    struct row r = minimum ? *smallest(&v) : *v.rows[0];
    r.stats.cleaned.count = r.stats.all.count = r.stats.outliers = r.invalid = r.passes = 0;
    r.looking = r.contended = 0;
    for (size_t at = 0; at < v.n; at++)
        add_pass(&r, v.rows[at]);
    r.looking /= r.passes;
    r.contended = DISTURBED * r.contended > r.passes;
    r.within_us = between(&v, AT(stats.cleaned.error_us)).median;
    if (minimum) {
        take_smallest(&v, AT(stats.cleaned), &r.stats.cleaned);
        take_smallest(&v, AT(stats.all), &r.stats.all);
    } else {
        r.disturbed = (int)leave_out_disturbed(&v, r.within_us, p->suite->standard_error);
        take_medians(&v, suite_extra(p->suite), &r);
        qsort(v.rows, v.n, sizeof(*v.rows), by_argument);
    }
    if (stats_are_few(&r.stats)) { /* also if they are of several passes */
        r.stats.cleaned.error_us = r.stats.all.error_us = NAN;
        for (int i = 0; i < MAX_EXTRA; i++)
            r.extra[i].error = NAN;
    }
    r.shape = shapes_combine(v.rows, v.n, r.stats.cleaned.mean_us, p->suite->options.error,
                             p->suite->standard_error);
    r.stop = stop_of(&v, &r, p->suite->standard_error);
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
