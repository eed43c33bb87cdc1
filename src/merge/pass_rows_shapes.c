#include "merge/pass_rows.h"

#include <math.h>

/* The largest of the differences between 4 to 20 visits, in standard errors, that independent
 * repetitions exceed in 1 to 3 %: this, and more by the logarithm of the number of visits. */
static const double LARGE_STEP = 2.5, MORE_VISITS = 0.25;

/* For visits that differ at random, and more than their errors say, 1 to 3 % leave less than this
 * part of their largest step, multiplied by the number of visits less TOO_FEW. */
static const double LEFT = 1 / 40.0, TOO_FEW = 3.5;

/* Sums of squares are large if they are this number of standard deviations above their mean: of
 * independent repetitions, 5 % and 0.1 % are. */
static const double LARGE = 2, VERY_LARGE = 5;

/* Visits whose variance is below this number of a repetition's differ as repetitions do; and below
 * the second one, if the repetitions of a visit depend on each other. */
static const double ALIKE = 2, ALIKE_IF_DEPENDENT = 5;

/* The least relative variance: errors of long visits are so small that any two differ. */
static const double ALIKE_LEAST = 0.2;

/* The error between fewer visits is large enough. */
enum { FEWEST_VISITS = 4 };

static double repetitions(const struct row *r)
{
    return r->stats.all.count - r->stats.outliers;
}

/* Mean over all visits, and variance of one repetition by the errors within them: each error is for
 * as many repetitions as it is from. The sum of squares is that of the visits' distances from the
 * mean; if they differ by chance, it is the variance for each visit except one. */
struct pooled {
    double visits, n, mean_us, variance, squares;
};

static struct pooled pooled_of(struct row *const *rows, size_t visits)
{
    struct pooled p = { (double)visits, 0, 0, 0, 0 };
    for (size_t i = 0; i < visits; i++)
        p.n += repetitions(rows[i]);
    for (size_t i = 0; i < visits; i++) {
        const struct summary *s = &rows[i]->stats.cleaned;
        double n = repetitions(rows[i]);
        p.mean_us += s->mean_us * n / p.n;
        p.variance += n * s->error_us * n * s->error_us / p.n;
    }
    for (size_t i = 0; i < visits; i++)
        p.squares += repetitions(rows[i]) * pow(rows[i]->stats.cleaned.mean_us - p.mean_us, 2);
    return p;
}

/* Do repetitions of a visit depend on each other, so that its mean may be off by more than this
 * part of it? */
static bool has_dependence(const double *lags, const struct pooled *all, double accuracy)
{
    double sum = 0;
    for (int k = 0; k < SHAPE_LAGS; k++)
        sum += fabs(lags[k]) / sqrt(all->n);
    double error_us = sqrt(all->variance * all->visits / all->n * (1 + 2 * sum));
    return lags_are_large(lags, all->n) && error_us > accuracy * fabs(all->mean_us);
}

/* --- between the visits; NaN, as without errors, is no difference --- */

/* A sum of squares that visits rarely exceed if they differ by chance. */
static double by_chance(const struct pooled *all, double degrees, double deviations)
{
    return all->variance * (degrees + deviations * sqrt(2 * degrees));
}

static double least_us(double us, double accuracy)
{
    return fmax(STATS_EQUAL, accuracy) * fabs(us);
}

/* Is it a step? A single visit before or after a point that is slower is disturbed. rises: the
 * visits before the point are faster. */
static bool is_step(const struct pooled *all, size_t before, bool rises, double difference_us,
                    double least)
{
    bool slow_alone = rises ? (double)before + 1 == all->visits : before == 1;
    return difference_us > least &&
           (!slow_alone || difference_us * difference_us < ALIKE_IF_DEPENDENT * all->variance);
}

/* The largest sum of squares between the visits before a point and those after it, if they differ
 * by more than the accuracy. */
static double largest_step(struct row *const *rows, const struct pooled *all, double accuracy)
{
    double sum = 0, before = 0, largest = 0;
    for (size_t i = 0; (double)i + 1 < all->visits; i++) {
        double n = repetitions(rows[i]);
        before += n;
        sum += n * (rows[i]->stats.cleaned.mean_us - all->mean_us);
        double parts = before * (all->n - before) / all->n, difference_us = fabs(sum) / parts;
        if (is_step(all, i + 1, sum < 0, difference_us, least_us(all->mean_us, accuracy)))
            largest = fmax(largest, parts * difference_us * difference_us);
    }
    return largest;
}

/* Is the step larger than the errors explain, while the visits on each side of it agree: as well as
 * their errors say, or very well compared with the step? */
static bool has_step(struct row *const *rows, const struct pooled *all, double accuracy)
{
    double step = largest_step(rows, all, accuracy);
    double large = LARGE_STEP + MORE_VISITS * log(all->visits);
    double left = all->squares - step - by_chance(all, all->visits - 2, LARGE);
    return step > large * large * all->variance && left < step * LEFT * (all->visits - TOO_FEW);
}

/* Do the visits differ by more than the errors explain, and at least half of them by more than the
 * accuracy? A disturbed visit or two are not enough. */
static bool visits_differ(struct row *const *rows, const struct pooled *all, double value_us,
                          double accuracy)
{
    double far = 0;
    for (size_t i = 0; (double)i < all->visits; i++)
        far += fabs(rows[i]->stats.cleaned.mean_us - value_us) > least_us(value_us, accuracy);
    return 2 * far >= all->visits && all->squares > by_chance(all, all->visits - 1, VERY_LARGE);
}

/* Do visits differ as repetitions do? Then they depend on each other for longer than a visit. */
static bool differ_as_repetitions(const struct pooled *all, const double *lags)
{
    double alike = lags_show(lags) ? ALIKE_IF_DEPENDENT : ALIKE;
    double repetitions_are = all->variance * all->n * (all->visits - 1) / all->visits;
    return all->squares < alike * repetitions_are && all->squares > ALIKE_LEAST * repetitions_are;
}

/* Do the visits ascend or descend? Of five visits at random, 1.7 % do. */
static bool have_order(struct row *const *rows, const struct pooled *all)
{
    double ascending = 1, descending = 1;
    for (size_t i = 1; (double)i < all->visits; i++) {
        double us = rows[i]->stats.cleaned.mean_us, before_us = rows[i - 1]->stats.cleaned.mean_us;
        ascending += us > before_us;
        descending += us < before_us;
    }
    return all->visits > FEWEST_VISITS && fmax(ascending, descending) == all->visits;
}

static bool visits_are_unsteady(struct row *const *rows, const struct pooled *all, double value_us,
                                const double *lags, double accuracy)
{
    return has_step(rows, all, accuracy) ||
           (visits_differ(rows, all, value_us, accuracy) &&
            (differ_as_repetitions(all, lags) || have_order(rows, all)));
}

/* --- modes --- */

/* Is no lower mode above a higher one, among visits that have two? */
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

/* The means over the visits. All repetitions of a visit without two modes are in the nearer one. */
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

struct shape shapes_combine(struct row *const *rows, size_t n, double value_us,
                            enum error_rule error, double accuracy)
{
    const struct pooled all = pooled_of(rows, n);
    struct shape s = { .unsteady = false };
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < SHAPE_LAGS; k++)
            s.lags[k] += rows[i]->shape.lags[k] / sqrt((double)n);
    bool compares = error != ERROR_PAPER && n >= FEWEST_VISITS;
    s.unsteady = has_dependence(s.lags, &all, accuracy) ||
                 (compares && visits_are_unsteady(rows, &all, value_us, s.lags, accuracy));
    if (modes_agree(rows, n))
        s.modes = modes_of(rows, n);
    return s;
}
