#include "merge/shapes.h"

#include <math.h>

/* The largest of the differences between 2 to 20 visits, in standard errors, that independent
 * repetitions exceed in 1 to 3 %: this, and more by the logarithm of the number of visits. */
static const double LARGE_STEP = 2.5, MORE_VISITS = 0.25;

static double repetitions(const struct row *r)
{
    return r->stats.all.count - r->stats.outliers;
}

/* Mean over all visits, and variance of one repetition by the errors within them: each error is
 * for as many repetitions as it is from. */
struct pooled {
    double visits, n, mean_us, variance;
};

static struct pooled pooled_of(struct row *const *rows, size_t visits)
{
    struct pooled p = { (double)visits, 0, 0, 0 };
    for (size_t i = 0; i < visits; i++)
        p.n += repetitions(rows[i]);
    for (size_t i = 0; i < visits; i++) {
        const struct summary *s = &rows[i]->stats.cleaned;
        double n = repetitions(rows[i]);
        p.mean_us += s->mean_us * n / p.n;
        p.variance += n * s->error_us * n * s->error_us / p.n;
    }
    return p;
}

/* Whether repetitions of a visit depend on each other, and its mean may therefore be off by more
 * than this part of it. */
static bool has_dependence(const double *lags, const struct pooled *all, double accuracy)
{
    double sum = 0;
    for (int k = 0; k < SHAPE_LAGS; k++)
        sum += fabs(lags[k]) / sqrt(all->n);
    double error_us = sqrt(all->variance * all->visits / all->n * (1 + 2 * sum));
    return lags_are_large(lags, all->n) && error_us > accuracy * fabs(all->mean_us);
}

/* The visits before a point against those after it, if they differ by more than this part of their
 * mean. NaN, as without errors, is no step. */
static bool has_step(struct row *const *rows, const struct pooled *of, double accuracy)
{
    const struct pooled all = *of;
    double least = fmax(STATS_EQUAL, accuracy) * fabs(all.mean_us);
    double sum = 0, before = 0, largest = 0, visits = all.visits;
    for (size_t i = 0; (double)i + 1 < visits; i++) {
        double n = repetitions(rows[i]);
        before += n;
        sum += n * (rows[i]->stats.cleaned.mean_us - all.mean_us);
        double difference = fabs(sum) * all.n / (before * (all.n - before));
        double variance = all.variance * all.n / (before * (all.n - before));
        if (difference > least)
            largest = fmax(largest, difference / sqrt(variance));
    }
    return largest > LARGE_STEP + MORE_VISITS * log(visits);
}

/* --- modes --- */

/* For all visits that have two: no lower one is above a higher one. */
static bool modes_agree(struct row *const *rows, size_t visits)
{
    double low_us = -INFINITY, high_us = INFINITY;
    size_t have = 0;
    for (size_t i = 0; i < visits; i++) {
        const struct modes *m = &rows[i]->shape.modes;
        if (m->high == 0)
            continue;
        low_us = fmax(low_us, m->low_us);
        high_us = fmin(high_us, m->high_us);
        have++;
    }
    return 2 * have >= visits && low_us < high_us;
}

/* The means over the visits. One without two modes has all repetitions in the nearer one. */
static struct modes modes_of(struct row *const *rows, size_t visits)
{
    struct modes all = { 0 };
    for (size_t i = 0; i < visits; i++) {
        const struct modes *m = &rows[i]->shape.modes;
        all.low_us += m->low * m->low_us;
        all.high_us += m->high * m->high_us;
        all.low += m->low;
        all.high += m->high;
    }
    all.low_us /= all.low;
    all.high_us /= all.high;
    for (size_t i = 0; i < visits; i++) {
        double median_us = rows[i]->stats.median_us;
        bool is_low = median_us - all.low_us < all.high_us - median_us;
        if (rows[i]->shape.modes.high == 0)
            *(is_low ? &all.low : &all.high) += rows[i]->stats.all.count;
    }
    return all;
}

struct shape shapes_combine(struct row *const *rows, size_t n, enum error_rule error,
                            double accuracy)
{
    const struct pooled all = pooled_of(rows, n);
    struct shape s = { .unsteady = false };
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < SHAPE_LAGS; k++)
            s.lags[k] += rows[i]->shape.lags[k] / sqrt((double)n);
    s.unsteady = has_dependence(s.lags, &all, accuracy) ||
                 (error != ERROR_PAPER && has_step(rows, &all, accuracy));
    if (modes_agree(rows, n))
        s.modes = modes_of(rows, n);
    return s;
}
