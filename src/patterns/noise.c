#include "patterns/noise.h"

/* Detours: two readings of the clock are far apart. Readings are the work of quanta. */
enum { DETOUR_COSTS = 10, DETOUR_TICKS = 2, HIT_READINGS = 3, HITS_LEAST = 10 };

static const double WINDOW_S = 2e-3, QUANTUM_S = 50e-6;
static const double HIT_PART = 0.01; /* of a quantum's work that is missing */

/* A period has this part of the correlation at no distance; its first peak, of the highest. */
static const double SURE_PART = 0.5, FIRST_PART = 0.5;

static double look_end(struct noise *d, double looked_s, double lost_s)
{
    d->looks += 1.0;
    d->looked_s += looked_s;
    d->lost_s += lost_s;
    d->squares += lost_s * lost_s;
    return lost_s;
}

double noise_spin(const struct clock *c, struct noise *d)
{
    const double least_s = DETOUR_COSTS * c->cost_s + DETOUR_TICKS * c->tick_s;
    double begun = c->now(), last = begun, lost_s = 0.0;
    while (last - begun < WINDOW_S) {
        double now = c->now(), detour_s = now - last - c->cost_s;
        if (detour_s > least_s) {
            lost_s += detour_s;
            d->longest_s = fmax(d->longest_s, detour_s);
            d->count += 1.0;
        }
        last = now;
    }
    return look_end(d, last - begun, lost_s);
}

/* Works in quanta without a gap between them, however long a detour takes. */
static void work_in_quanta(const struct clock *c, double *work)
{
    double begun = c->now(), now = begun;
    for (int i = 0; i < QUANTA; i++) {
        work[i] = 0.0;
        for (double end = begun + (i + 1) * QUANTUM_S; now < end; now = c->now())
            work[i] += 1.0;
    }
}

/* The least undisturbed work of a quantum. The middle of the upper half is undisturbed. */
static double least_work(const double *work)
{
    double sorted[QUANTA];
    memcpy(sorted, work, sizeof(sorted));
    stats_sort(sorted, QUANTA);
    double usual = sorted[QUANTA * 3 / 4];
    return usual - fmax(HIT_READINGS, HIT_PART * usual);
}

/* Adds the correlation of quanta that were hit (1) with those that many later. */
static void correlate(const double *hit, double hits, double *pairs)
{
    const double mean = hits / QUANTA;
    for (int lag = 0; lag < QUANTA_LAGS; lag++) {
        double sum = 0.0;
        for (int i = 0; i + lag < QUANTA; i++)
            sum += (hit[i] - mean) * (hit[i + lag] - mean);
        pairs[lag] += sum / (QUANTA - lag);
    }
}

double noise_work(const struct clock *c, struct noise *d)
{
    double work[QUANTA], sum = 0.0, lost_s = 0.0, hits = 0.0, in_a_row_s = 0.0;
    work_in_quanta(c, work);
    const double least = least_work(work);
    for (int i = 0; i < QUANTA; i++) {
        hits += work[i] < least;
        sum += work[i] < least ? 0.0 : work[i];
    }
    const double usual = sum / (QUANTA - hits);
    for (int i = 0; i < QUANTA; i++) {
        double missing_s = work[i] < least ? (1.0 - work[i] / usual) * QUANTUM_S : 0.0;
        in_a_row_s = missing_s > 0.0 ? in_a_row_s + missing_s : 0.0;
        d->longest_s = fmax(d->longest_s, in_a_row_s);
        lost_s += missing_s;
        work[i] = work[i] < least;
    }
    correlate(work, hits, d->pairs);
    d->count += hits;
    return look_end(d, QUANTA * QUANTUM_S, lost_s);
}

/* A detour that reaches into the next quantum, or a period between two lags, hits both. */
static double smoothed(const double *pairs, int lag)
{
    return pairs[lag > 0 ? lag - 1 : 1] + 2.0 * pairs[lag] + pairs[lag + 1];
}

/* The highest correlation near a lag; at the tip of a parabola through it and its neighbours. */
static double peak_near(const double *pairs, int lag)
{
    for (int near = lag - 1; near <= lag + 1 && near < QUANTA_LAGS - 2; near++)
        if (smoothed(pairs, near) > smoothed(pairs, lag))
            lag = near;
    double before = smoothed(pairs, lag - 1), after = smoothed(pairs, lag + 1);
    double bent = before - 2.0 * smoothed(pairs, lag) + after;
    return lag + (bent < 0.0 ? 0.5 * (before - after) / bent : 0.0);
}

/* The period in quanta; NaN without one. Multiples of the period are more accurate. */
static double period_of(const double *pairs)
{
    const int end = QUANTA_LAGS - 3;
    double most = 0.0;
    int first = 1;
    while (first < end && smoothed(pairs, first + 1) <= smoothed(pairs, first))
        first++;
    for (int lag = first; lag < end; lag++)
        most = fmax(most, smoothed(pairs, lag));
    if (most <= 0.0 || most < SURE_PART * smoothed(pairs, 0))
        return NAN;
    while (smoothed(pairs, first) < FIRST_PART * most)
        first++;
    double period = peak_near(pairs, first);
    for (int i = 2; period >= 2.0 && i * period < end; i++)
        period = peak_near(pairs, (int)lround(i * period)) / i;
    return period;
}

double noise_period_us(const struct noise *d)
{
    return d->count < HITS_LEAST ? NAN : 1e6 * QUANTUM_S * period_of(d->pairs);
}

struct extra_value noise_lost_percent(const struct noise *d)
{
    const double each_s = d->looked_s / d->looks, mean_s = d->lost_s / d->looks;
    const double variance = fmax(0.0, d->squares / d->looks - mean_s * mean_s) / (d->looks - 1.0);
    return (struct extra_value){ 100.0 * mean_s / each_s, 100.0 * sqrt(variance) / each_s };
}
