#include "stats/visit_length.h"

/* A batch is at least an eighth of the repetitions so far, so that a run has few decisions. */
enum { SMALLEST_GROWTH = 8 };

/* A batch of a measurement that is limited by time: a signal ends the run within that time. */
static const double BATCH_S = 0.25;

/* About 11 rare delays have to be seen before the error that follows from them is believed, unless
 * it is negligible: below this part of the accuracy. */
static const double VARIANCE_ERROR = 0.3, NEGLIGIBLE = 0.02;

const char *stop_name(enum stop stop)
{
    static const char *const names[STOP_COUNT] = {
        [STOP_NONE] = "none",
        [STOP_ACCURACY] = "accuracy",
        [STOP_REPETITIONS] = "repetitions",
        [STOP_TIME] = "time",
        [STOP_UNSYNCHRONISED] = "unsynchronised",
        [STOP_VISITS] = "visits",
        [STOP_CLOCK] = "clock",
    };
    return stop >= STOP_NONE && stop < STOP_COUNT ? names[stop] : "none";
}

static double visits_of(const struct limits *l)
{
    return l->visits > 1 ? l->visits : 1;
}

static struct effort of_all_visits(const struct limits *l, const struct effort *own)
{
    double visits = visits_of(l);
    return (struct effort){ visits * own->n, visits * own->sum_s, own->passed_s };
}

static double relative_error(const struct limits *l, const struct stats *s)
{
    return stats_relative_error(s) / sqrt(visits_of(l));
}

/* A few rare delays show that the mean is uncertain, but not how uncertain. */
static double variance_error(const struct limits *l, const struct stats *s)
{
    bool negligible = relative_error(l, s) <= NEGLIGIBLE * l->standard_error;
    return l->error == ERROR_PAPER || negligible ? 0 : s->variance_error / sqrt(visits_of(l));
}

/* Has the visit lasted long enough? More time shows nothing of equal repetitions. */
static bool lasts(const struct limits *l, const struct stats *s, const struct effort *own)
{
    return l->visits < 2 || own->passed_s >= l->visit_s || own->n >= l->max_repetition ||
           relative_error(l, s) <= STATS_EQUAL;
}

enum stop stop_decide(const struct limits *l, const struct stats *s, const struct effort *effort)
{
    if (l->time_s > 0 && effort->passed_s >= l->time_s)
        return STOP_TIME;
    const struct effort all = of_all_visits(l, effort);
    double error = relative_error(l, s);
    bool accurate = (error == 0 || error < l->standard_error) &&
                    variance_error(l, s) <= VARIANCE_ERROR &&
                    all.sum_s * l->standard_error >= l->tick_s;
    if (l->time_s <= 0 && all.n >= limits_least(l) && lasts(l, s, effort) && accurate)
        return STOP_ACCURACY;
    return effort->n >= l->max_repetition ? STOP_REPETITIONS : STOP_NONE;
}

/* The number of repetitions of all visits that will probably satisfy error, its own error, tick,
 * and duration; NaN or infinite if unknown. Errors fall with the root of the number, the sum and
 * the duration grow with the number. */
static double needed(const struct limits *l, const struct stats *s, const struct effort *effort)
{
    double for_error = effort->n * pow(relative_error(l, s) / l->standard_error, 2);
    double for_variance = effort->n * pow(variance_error(l, s) / VARIANCE_ERROR, 2);
    double for_tick = effort->n * l->tick_s / (l->standard_error * effort->sum_s);
    bool lasts = l->visits < 2 || effort->passed_s >= l->visit_s;
    double for_duration = lasts ? 0 : effort->n * l->visit_s / effort->passed_s;
    double others = fmax(for_tick, fmax(for_duration, for_variance));
    return for_error > others || isnan(for_error) ? for_error : others;
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
    int n = (int)effort->n, left = l->max_repetition - n;
    double visits = visits_of(l);
    double least = fmax(ceil(limits_least(l) / visits), FEWEST_REPETITIONS);
    const struct effort all = of_all_visits(l, effort);
    int batch = n;
    if (timed && n > 0)
        batch =
            ceil_within(fmin(l->time_s - effort->passed_s, BATCH_S) * n / effort->passed_s, 1, n);
    else if (!timed && n < least)
        batch = ceil_within(least - n, 1, left);
    else if (!timed && n > 0)
        batch = ceil_within(needed(l, s, &all) / visits - n, n / SMALLEST_GROWTH, n);
    batch = batch < left ? batch : left;
    return batch > 1 ? batch : 1;
}
