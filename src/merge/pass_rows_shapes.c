#include "merge/pass_rows.h"

/* The largest of the differences between 4 to 20 visits, in standard errors, that independent
 * repetitions exceed in 1 to 3 %: this, and more by the logarithm of the number of visits. */
static const double LARGE_STEP = 2.5, MORE_VISITS = 0.25;

/* For visits that differ at random, and more than their errors say, 1 to 3 % leave less than this
 * part of their largest step, multiplied by the number of visits less TOO_FEW. */
static const double LEFT = 1 / 40.0, TOO_FEW = 3.5;

/* Large sums of squares, in deviations above their mean: of independent ones, 5 % and 0.1 % are. */
static const double LARGE = 2, VERY_LARGE = 5;

/* Visits whose variance is below this number of a repetition's differ as repetitions do; and below
 * the second one, if the repetitions of a visit depend on each other. */
static const double ALIKE = 2, ALIKE_IF_DEPENDENT = 5;

/* The error between fewer visits is large enough. */
enum { FEWEST_COMPARED = 4 };

static double repetitions(const struct row *r)
{
    return r->stats.all.count - r->stats.outliers;
}

/* Mean over all visits, and variance of one repetition by the errors within them: each error is for
 * as many repetitions as it is from. The sum of squares is that of the visits' distances from the
 * mean; if they differ by chance, it is the variance for each visit except one. */
struct pooled_visits {
    double visits, n, mean_us, variance, squares;
};

/* Times of short visits are those of all of their repetitions: their cuts say little. */
enum { SHORT = 8 };

static const struct summary *summary_of(const struct row *r)
{
    return repetitions(r) < SHORT ? &r->stats.all : &r->stats.cleaned;
}

static struct pooled_visits pooled_of(struct row *const *rows, size_t visits)
{
    struct pooled_visits p = { (double)visits, 0, 0, 0, 0 };
    for (size_t i = 0; i < visits; i++)
        p.n += repetitions(rows[i]);
    for (size_t i = 0; i < visits; i++) {
        const struct summary *s = summary_of(rows[i]);
        double n = repetitions(rows[i]);
        p.mean_us += s->mean_us * n / p.n;
        p.variance += n * s->error_us * n * s->error_us / p.n;
    }
    for (size_t i = 0; i < visits; i++)
        p.squares += repetitions(rows[i]) * pow(summary_of(rows[i])->mean_us - p.mean_us, 2);
    /* The variance of few repetitions is uncertain: chance needs as much more room. */
    p.variance *= 1 + 4 / fmax(p.n - p.visits, 1);
    return p;
}

/* Do a visit's repetitions depend on each other, so that its mean is off by more than this part? */
static bool has_dependence(const double *lags, const struct pooled_visits *all, double accuracy)
{
    double sum = 0;
    for (int k = 0; k < SHAPE_LAGS; k++)
        sum += fabs(lags[k]) / sqrt(all->n);
    double error_us = sqrt(all->variance * all->visits / all->n * (1 + 2 * sum));
    return lags_are_large(lags, all->n) && error_us > accuracy * fabs(all->mean_us);
}

/* A sum of squares that chance rarely exceeds. NaN, as without errors, is no difference. */
static double by_chance(const struct pooled_visits *all, double degrees, double deviations)
{
    return all->variance * (degrees + deviations * sqrt(2 * degrees));
}

static double least_us(double us, double accuracy)
{
    return fmax(STATS_EQUAL, accuracy) * fabs(us);
}

/* Is it a step, not one slow visit at an end? rises: the visits before the point are faster. */
static bool is_step(const struct pooled_visits *all, size_t before, bool rises,
                    double difference_us, double least)
{
    bool slow_alone = rises ? (double)before + 1 == all->visits : before == 1;
    return difference_us > least &&
           (!slow_alone || difference_us * difference_us < ALIKE_IF_DEPENDENT * all->variance);
}

/* Is the step larger than the errors explain, while the visits on each side of it agree: as well as
 * their errors say, or very well compared with the step? */
static bool has_step(struct row *const *rows, const struct pooled_visits *all, double accuracy)
{
    double sum = 0, before = 0, step = 0;
    for (size_t i = 0; (double)i + 1 < all->visits; i++) {
        double n = repetitions(rows[i]);
        before += n;
        sum += n * (summary_of(rows[i])->mean_us - all->mean_us);
        double parts = before * (all->n - before) / all->n, difference_us = fabs(sum) / parts;
        if (is_step(all, i + 1, sum < 0, difference_us, least_us(all->mean_us, accuracy)))
            step = fmax(step, parts * difference_us * difference_us);
    }
    double large = LARGE_STEP + MORE_VISITS * log(all->visits);
    double left = all->squares - step - by_chance(all, all->visits - 2, LARGE);
    return step > large * large * all->variance && left < step * LEFT * (all->visits - TOO_FEW);
}

/* Do the visits differ by more than the errors explain, and at least half of them by more than the
 * accuracy? A disturbed visit or two are not enough. */
static bool visits_differ(struct row *const *rows, const struct pooled_visits *all, double value_us,
                          double accuracy)
{
    double far = 0;
    for (size_t i = 0; (double)i < all->visits; i++)
        far += fabs(rows[i]->stats.cleaned.mean_us - value_us) > least_us(value_us, accuracy);
    return 2 * far >= all->visits && all->squares > by_chance(all, all->visits - 1, VERY_LARGE);
}

/* Longer visits, in repetitions, differ as their places in memory do, as their error says. */
enum { LONG = 64 };

/* Do short visits differ as repetitions do, which then depend on each other for longer? */
static bool differ_as_repetitions(const struct pooled_visits *all, const double *lags)
{
    double alike = lags_show(lags) ? ALIKE_IF_DEPENDENT : ALIKE;
    double repetitions_are = all->variance * all->n * (all->visits - 1) / all->visits;
    return all->n < LONG * all->visits && all->squares < alike * repetitions_are;
}

/* Pairs of visits of which the later one is slower, less those of which it is faster: of 1.7 % at
 * random, Kendall's sum is beyond this many standard deviations. */
static const double ORDERED = 2.39;

/* Do the visits ascend or descend? */
static bool have_order(struct row *const *rows, const struct pooled_visits *all)
{
    double n = all->visits, sum = 0;
    for (size_t i = 0; (double)i < n; i++)
        for (size_t k = 0; k < i; k++) {
            double later = rows[i]->stats.cleaned.mean_us, us = rows[k]->stats.cleaned.mean_us;
            sum += (later > us) - (later < us);
        }
    return fabs(sum) > ORDERED * sqrt(n * (n - 1) * (2 * n + 5) / 18);
}

struct shape shapes_combine(struct row *const *rows, size_t n, double value_us,
                            enum error_rule error, double accuracy)
{
    const struct pooled_visits all = pooled_of(rows, n);
    struct shape s = { .unsteady = false };
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < SHAPE_LAGS; k++)
            s.lags[k] += rows[i]->shape.lags[k] / sqrt((double)n);
    s.unsteady = has_dependence(s.lags, &all, accuracy);
    if (error != ERROR_PAPER && n >= FEWEST_COMPARED)
        s.unsteady = s.unsteady || has_step(rows, &all, accuracy) ||
                     (visits_differ(rows, &all, value_us, accuracy) &&
                      (differ_as_repetitions(&all, s.lags) || have_order(rows, &all)));
    return s;
}
