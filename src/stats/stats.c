#include "stats/stats.h"

/* n * quantile may be just below the whole number that was meant (100 * 0.29). */
static const double ROUNDING = 1e-9;

/* Sorted values; cut values at each end are excluded from the mean. */
struct sample {
    const double *sorted;
    int n, cut;
};

/* A value as its distance from the middle one: distances have few digits, and are exactly zero if
 * all values are equal. A value that is cut counts as the nearest one that is not. */
static double distance(const struct sample *s, int i)
{
    int last = s->n - 1 - s->cut;
    int most = i > last ? last : i;
    int nearest = most < s->cut ? s->cut : most;
    return s->sorted[nearest] - s->sorted[s->n / 2];
}

/* Mean distance, and the means of the second and fourth powers around it. */
struct moments {
    double mean, second, fourth;
};

static struct moments moments_of(const struct sample *s, int without)
{
    struct moments m = { 0, 0, 0 };
    int end = s->n - without, count = s->n - 2 * without;
    for (int i = without; i < end; i++)
        m.mean += distance(s, i) / count;
    for (int i = without; i < end; i++) {
        double square = (distance(s, i) - m.mean) * (distance(s, i) - m.mean);
        m.second += square / count;
        m.fourth += square * square / count;
    }
    return m;
}

static double error_winsorised(const struct sample *s)
{
    double variance = moments_of(s, 0).second; /* with divisor n */
    double left = 1 - 2.0 * s->cut / s->n;
    return sqrt(variance / (s->n - 1)) / left;
}

/* If the values that remain are equal: by how many values the cut would have to be shorter in
 * another sample, where the ones that differ from the middle may reach farther; 0: rare enough. */
static int too_long_by(const struct sample *s)
{
    double middle = s->sorted[s->n / 2], equal = STATS_EQUAL * fabs(middle);
    int below = 0, above = 0;
    while (below < s->cut && middle - s->sorted[below] > equal)
        below++;
    while (above < s->cut && s->sorted[s->n - 1 - above] - middle > equal)
        above++;
    int most = below > above ? below : above;
    /* Twice the binomial deviation: another sample may have as many more. */
    double by = 2.0 * sqrt(most * (1.0 - (double)most / s->n));
    return most + by > s->cut ? (int)ceil(by) : 0;
}

/* Where the cut ends at a second mode, an error of 0 is chance: states that of a shorter cut. */
static double error_beyond_cut(const struct sample *s)
{
    double error_us = error_winsorised(s);
    struct sample shorter = *s;
    if (error_us > STATS_EQUAL * fabs(s->sorted[s->n / 2]))
        return error_us;
    int by = too_long_by(s);
    shorter.cut = by < s->cut ? s->cut - by : 0;
    return error_winsorised(&shorter);
}

static struct summary summary_of(const struct sample *s, enum error_rule rule)
{
    struct moments left = moments_of(s, s->cut);
    int count = s->n - 2 * s->cut;
    double error_us = rule == ERROR_PAPER ? sqrt(left.second / count) : error_beyond_cut(s);
    return (struct summary){ count, s->sorted[s->n / 2] + left.mean,
                             s->n < FEWEST_REPETITIONS ? NAN : error_us };
}

static double variance_error(const struct sample *s)
{
    struct moments m = moments_of(s, 0);
    return m.second > 0 ? sqrt((m.fourth / (m.second * m.second) - 1) / s->n) : 0;
}

double stats_percentile(const double *sorted, int n, double part)
{
    double place = part * (n - 1);
    int below = (int)place;
    int above = below + 1 < n ? below + 1 : below;
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
}

int stats_known(double *values, int n)
{
    int known = 0;
    for (int i = 0; i < n; i++)
        if (!isnan(values[i]))
            values[known++] = values[i];
    stats_sort(values, known);
    return known;
}

double stats_most_frequent(double *values, int n)
{
    int known = stats_known(values, n), most = 0;
    double found = NAN;
    for (int i = 0, same; i < known; i += same) {
        for (same = 1; i + same < known && values[i + same] == values[i];)
            same++;
        if (same > most) {
            most = same;
            found = values[i];
        }
    }
    return found;
}

double stats_median(double *values, int n)
{
    int known = stats_known(values, n);
    return known == 0 ? NAN : stats_percentile(values, known, 0.5);
}

/* The value at this part of n > 0 sorted ones, or the mean of two if it is between them. */
static double quantile(const double *sorted, int n, double part)
{
    double place = part * n;
    int at = (int)(place + ROUNDING);
    bool between = place - at < ROUNDING && at > 0 && at < n;
    at = at < n ? at : n - 1;
    return between ? sorted[at - 1] + (sorted[at] - sorted[at - 1]) / 2 : sorted[at];
}

void stats_sort(double *values, int n)
{
    qsort(values, (size_t)n, sizeof(*values), by_double);
}

bool stats_are_few(const struct stats *s)
{
    return s->all.count - s->outliers < FEWEST_OF_ROW;
}

bool stats_are_accurate(const struct stats *s, double standard_error)
{
    const struct summary *c = &s->cleaned;
    return c->error_us == 0 || c->error_us <= standard_error * c->mean_us;
}

double stats_relative_error(const struct stats *s)
{
    double mean_us = s->cleaned.mean_us;
    double error_us = s->cleaned.error_us > 0 ? s->cleaned.error_us : s->all.error_us;
    if (s->cleaned.count < 2)
        return NAN;
    if (error_us == 0)
        return 0;
    return mean_us > 0 ? error_us / mean_us : NAN;
}

/* The number of sorted values above a multiple of their mean; 0 if that is 0. */
static int outliers(const double *sorted, int n, double multiple)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < n; i++)
        sum += sorted[i];
    while (multiple > 0 && count < n - 1 && sorted[n - 1 - count] > multiple * (sum / n))
        count++;
    return count;
}

struct stats stats_of(double *times_us, int n, struct summing how)
{
    if (n <= 0) {
        struct summary none = { 0, NAN, NAN };
        return (struct stats){ none, none, NAN, NAN, NAN, NAN, NAN, NAN, 0 };
    }
    stats_sort(times_us, n);
    struct sample all = { times_us, n, 0 };
    int left_out = outliers(times_us, n, how.outliers), left = n - left_out;
    int cut = (int)(left * how.cut_quantile + ROUNDING), most = (left - 1) / 2; /* one remains */
    struct sample cleaned = { times_us, left, cut < most ? cut : most };
    return (struct stats){
        .cleaned = summary_of(&cleaned, how.error),
        .all = summary_of(&all, how.error),
        .outliers = left_out,
        .min_us = times_us[0],
        .p25_us = quantile(times_us, n, 0.25),
        .median_us = quantile(times_us, n, 0.5),
        .p75_us = quantile(times_us, n, 0.75),
        .max_us = times_us[n - 1],
        .variance_error = variance_error(&cleaned),
    };
}
