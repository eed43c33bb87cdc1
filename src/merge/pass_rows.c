#include "merge/pass_rows.h"

#include "merge/between.h"

#include <math.h>
#include <stdlib.h>

int pass_rows_init(struct pass_rows *p, const struct block *b, size_t arguments, struct err *e)
{
    size_t bytes = (b->count / arguments + 1) * sizeof(double);
    *p = (struct pass_rows){ .rows = b->rows,
                             .count = b->count,
                             .arguments = arguments,
                             .suite = b->suite,
                             .values = malloc(bytes) };
    return p->values == NULL ? err_no_memory(e, bytes) : 0;
}

void pass_rows_release(struct pass_rows *p)
{
    free(p->values);
    *p = (struct pass_rows){ 0 };
}

/* A number of a row. */
typedef double number(const struct row *r, int i);

static struct between between(const struct pass_rows *p, size_t argument, number *get, int i)
{
    size_t n = 0;
    for (size_t at = argument; at < p->count; at += p->arguments)
        p->values[n++] = get(&p->rows[at], i);
    return between_runs(p->values, n);
}

static double mean_of(const struct row *r, int i)
{
    return i == 0 ? r->stats.cleaned.mean_us : r->stats.all.mean_us;
}

static double error_of(const struct row *r, int i)
{
    return i == 0 ? r->stats.cleaned.error_us : r->stats.all.error_us;
}

static double quartile_of(const struct row *r, int i)
{
    const double quartiles[] = { r->stats.p25_us, r->stats.median_us, r->stats.p75_us };
    return quartiles[i];
}

static double extra_of(const struct row *r, int i)
{
    return r->extra[i].value;
}

static double extra_error_of(const struct row *r, int i)
{
    return r->extra[i].error;
}

/* The row of the pass with the smallest time; the first one if none has a time. */
static const struct row *smallest(const struct pass_rows *p, size_t argument)
{
    const struct row *best = &p->rows[argument];
    for (size_t at = argument; at < p->count; at += p->arguments)
        if (!(best->stats.cleaned.mean_us <= p->rows[at].stats.cleaned.mean_us) &&
            !isnan(p->rows[at].stats.cleaned.mean_us))
            best = &p->rows[at];
    return best;
}

/* between has sorted the values, those that are known first. */
static void take_summary(const struct pass_rows *p, size_t argument, int which, struct summary *s)
{
    struct between within = between(p, argument, error_of, which);
    struct between time = between(p, argument, mean_of, which);
    s->mean_us = time.median;
    s->error_us = between_error(&time, &within);
}

/* Half the distance from the smallest value to the next one: a bootstrap would repeat the smallest
 * one itself most of the time. */
static void take_smallest(const struct pass_rows *p, size_t argument, int which, struct summary *s)
{
    double first = INFINITY, second = INFINITY;
    for (size_t at = argument; at < p->count; at += p->arguments) {
        double value = mean_of(&p->rows[at], which);
        if (value < first) {
            second = first;
            first = value;
        } else if (value < second) {
            second = value;
        }
    }
    s->mean_us = isinf(first) ? NAN : first;
    s->error_us =
        isinf(second) ? between(p, argument, error_of, which).median : (second - first) / 2.0;
}

static struct extra_value take_extra(const struct pass_rows *p, size_t argument, int i,
                                     bool has_unit)
{
    if (!has_unit) {
        size_t n = 0;
        for (size_t at = argument; at < p->count; at += p->arguments)
            p->values[n++] = extra_of(&p->rows[at], i);
        return (struct extra_value){ most_frequent(p->values, n), NAN };
    }
    struct between within = between(p, argument, extra_error_of, i);
    struct between value = between(p, argument, extra_of, i);
    return (struct extra_value){ value.median, between_error(&value, &within) };
}

static void take_medians(const struct pass_rows *p, size_t argument, struct row *r)
{
    const struct extra_info *x = suite_extra(p->suite);
    take_summary(p, argument, 0, &r->stats.cleaned);
    take_summary(p, argument, 1, &r->stats.all);
    r->stats.p25_us = between(p, argument, quartile_of, 0).median;
    r->stats.median_us = between(p, argument, quartile_of, 1).median;
    r->stats.p75_us = between(p, argument, quartile_of, 2).median;
    for (int i = 0; x[i].name != NULL; i++)
        r->extra[i] = take_extra(p, argument, i, x[i].unit != NULL);
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
    all->looking = fmax(all->looking, r->looking);
    all->contended += r->contended;
    all->passes++;
    if (all->place == NULL) /* a pass of an earlier launch has none */
        all->place = r->place;
    if (r->stop != STOP_ACCURACY)
        all->stop = r->stop;
}

/* Few repetitions have no error, also if they are of several passes. */
static void drop_errors(struct row *r)
{
    r->stats.cleaned.error_us = r->stats.all.error_us = NAN;
    for (int i = 0; i < MAX_EXTRA; i++)
        r->extra[i].error = NAN;
}

struct row pass_rows_combine(const struct pass_rows *p, size_t argument)
{
    bool minimum = p->suite->options.estimate == ESTIMATE_MINIMUM;
    struct row r = minimum ? *smallest(p, argument) : p->rows[argument];
    r.stats.cleaned.count = r.stats.all.count = r.stats.outliers = r.invalid = r.passes = 0;
    r.contended = 0;
    r.stop = STOP_ACCURACY;
    for (size_t at = argument; at < p->count; at += p->arguments)
        add_pass(&r, &p->rows[at]);
    r.within_us = between(p, argument, error_of, 0).median;
    if (minimum) {
        take_smallest(p, argument, 0, &r.stats.cleaned);
        take_smallest(p, argument, 1, &r.stats.all);
    } else {
        take_medians(p, argument, &r);
    }
    if (stats_are_few(&r.stats))
        drop_errors(&r);
    return r;
}
