#include "stats/stats.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* At least an eighth more are asked for, so that a run has few decisions. */
enum { SMALLEST_GROWTH = 8 };

/* n * quantile may be just below the whole number that was meant (100 * 0.29). */
static const double ROUNDING = 1e-9;

const char *stop_name(enum stop stop)
{
    static const char *const names[STOP_COUNT] = {
        [STOP_NONE] = "none",
        [STOP_ACCURACY] = "accuracy",
        [STOP_REPETITIONS] = "repetitions",
        [STOP_TIME] = "time",
        [STOP_UNSYNCHRONISED] = "unsynchronised",
    };
    return stop >= STOP_NONE && stop < STOP_COUNT ? names[stop] : "none";
}

static int by_time(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Takes sorted values. All sums are of distances from the middle value: short, and exactly zero if
 * all values are equal. */
static struct summary summary_of(const double *sorted, int n)
{
    double middle = sorted[n / 2];
    double sum = 0, squares = 0;
    for (int i = 0; i < n; i++)
        sum += sorted[i] - middle;
    double mean = sum / n; /* its distance from the middle value */
    for (int i = 0; i < n; i++) {
        double distance = sorted[i] - middle - mean;
        squares += distance * distance;
    }
    double sigma = sqrt(squares / n);
    return (struct summary){ n, middle + mean, sigma / sqrt(n) };
}

/* The value at position part * (n - 1), interpolated linearly between its two neighbours. */
static double percentile(const double *sorted, int n, double part)
{
    double place = part * (n - 1);
    int below = (int)place;
    int above = below + 1 < n ? below + 1 : below;
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
}

static int cut_count(int n, double quantile)
{
    int cut = (int)(n * quantile + ROUNDING);
    int most = (n - 1) / 2; /* at least one value remains */
    return cut < most ? cut : most;
}

struct stats stats_of(double *times_us, int n, double cut_quantile)
{
    if (n <= 0) {
        struct summary none = { 0, NAN, NAN };
        return (struct stats){ none, none, NAN, NAN, NAN, NAN, NAN };
    }
    qsort(times_us, (size_t)n, sizeof(*times_us), by_time);
    int cut = cut_count(n, cut_quantile);
    return (struct stats){
        .cleaned = summary_of(times_us + cut, n - 2 * cut),
        .all = summary_of(times_us, n),
        .min_us = times_us[0],
        .p25_us = percentile(times_us, n, 0.25),
        .median_us = percentile(times_us, n, 0.5),
        .p75_us = percentile(times_us, n, 0.75),
        .max_us = times_us[n - 1],
    };
}

/* The standard error relative to the mean; NaN if it has none: a single value has no known error,
 * and subtracted overheads (@ABSOLUTE) can leave a mean of zero or less. */
static double relative_error(const struct stats *s)
{
    double mean_us = s->cleaned.mean_us;
    double error_us = s->cleaned.error_us > 0 ? s->cleaned.error_us : s->all.error_us;
    if (s->cleaned.count < 2)
        return NAN;
    if (error_us == 0)
        return 0;
    return mean_us > 0 ? error_us / mean_us : NAN;
}

static bool accurate(const struct limits *l, const struct stats *s, double sum_s)
{
    double error = relative_error(s);
    bool small = error == 0 || error < l->standard_error;
    return small && sum_s * l->standard_error >= l->tick_s;
}

enum stop stop_decide(const struct limits *l, const struct stats *s, const struct effort *effort)
{
    if (l->time_s > 0 && effort->passed_s >= l->time_s)
        return STOP_TIME;
    if (l->time_s <= 0 && effort->n >= l->min_repetition && accurate(l, s, effort->sum_s))
        return STOP_ACCURACY;
    return effort->n >= l->max_repetition ? STOP_REPETITIONS : STOP_NONE;
}

/* The total number of repetitions that will probably satisfy error and tick; NaN or infinite if
 * unknown. The error falls with the root of the number, the sum grows with the number. */
static double accuracy_needs(const struct limits *l, const struct stats *s,
                             const struct effort *effort)
{
    double for_error = effort->n * pow(relative_error(s) / l->standard_error, 2);
    double for_tick = effort->n * l->tick_s / (l->standard_error * effort->sum_s);
    return for_error > for_tick || isnan(for_error) ? for_error : for_tick;
}

/* The smallest whole number >= wanted within low..high; high if wanted is NaN. */
static int ceil_within(double wanted, int low, int high)
{
    if (wanted <= low)
        return low;
    return wanted < high ? (int)ceil(wanted) : high;
}

int batch_size(const struct limits *l, const struct stats *s, const struct effort *effort)
{
    bool timed = l->time_s > 0;
    int n = effort->n, left = l->max_repetition - n;
    int batch = n;
    if (timed && n > 0)
        batch = ceil_within((l->time_s - effort->passed_s) * n / effort->passed_s, 1, n);
    else if (!timed && n < l->min_repetition)
        batch = l->min_repetition - n;
    else if (!timed && n > 0)
        batch = ceil_within(accuracy_needs(l, s, effort) - n, n / SMALLEST_GROWTH, n);
    batch = batch < left ? batch : left;
    return batch > 1 ? batch : 1;
}
