#include "clock/clock.h"

#include "stats/stats.h"

#include <float.h>
#include <sched.h>

enum { COST_CALLS = 1000, TICK_STEPS = 100, MAX_TICK_CALLS = 1000000, SLEEPS = 9 };
enum { NOISE_TRIES = 32, MAX_READINGS = 400 };

/* A coarse clock is read at instants spread over some ticks: the mean shows its place in a tick. */
enum { HOST_READINGS = 60, TICKS = 4 };

/* It counts nanoseconds, on all CPUs of the host. */
static const double HOST_STEP_S = 1e-9;

/* Beside a program that does not yield, a process that yields gets its CPU back after some
 * milliseconds, and one that wakes up from a nap at once. So it yields only at a wait's end. */
static const double YIELD_S = 150e-6, NAP_S = 50e-6;

/* Clocks whose rates differ by less than the first may have the same; a larger difference than the
 * second shows that one was set, or is not a clock. They are compared over RATE_S. */
static const double SAME_RATE = 1e-4, ANY_RATE = 1e-2, RATE_S = 5e-3;

void clock_sleep(double seconds)
{
    if (seconds <= 0.0)
        return;
    double whole = (double)(time_t)seconds;
    struct timespec t = { (time_t)seconds, (long)((seconds - whole) * 1e9) };
    nanosleep(&t, NULL);
}

double hostclock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct sighting hostclock_sight(const struct clock *c)
{
    struct sighting seen[HOST_READINGS];
    if (c->now == hostclock_now)
        return (struct sighting){ hostclock_now(), 0.0, HOST_STEP_S };
    double grain_s = clock_grain(c), start_s = hostclock_now();
    for (int i = 0; i < HOST_READINGS; i++) {
        double before_s, until_s = start_s + i * TICKS * grain_s / HOST_READINGS;
        while ((before_s = hostclock_now()) < until_s)
            ;
        double shown_s = c->now();
        double half_s = (hostclock_now() - before_s) / 2.0;
        seen[i] = (struct sighting){ before_s + half_s, shown_s - (before_s + half_s), half_s };
    }
    struct sighting best = sighting_best(seen, HOST_READINGS, grain_s);
    best.error_s += grain_s;
    return best;
}

static double cost_of(const struct clock *c)
{
    double start = c->now();
    for (int i = 1; i < COST_CALLS; i++)
        c->now();
    return (c->now() - start) / COST_CALLS;
}

/* The median: one sleep in ten ends milliseconds late beside other programs. */
static double sleep_late_of(const struct clock *c)
{
    const double asked_us = 1.0;
    double late_us[SLEEPS];
    for (int i = 0; i < SLEEPS; i++) {
        double start = c->now();
        clock_sleep(asked_us * 1e-6);
        late_us[i] = fmax((c->now() - start) * 1e6 - asked_us, 0.0);
    }
    return 1e-6 * stats_of(late_us, SLEEPS, (struct summing){ 0 }).median_us;
}

/* A clock that never goes back shows the same value again if the last reading was later than this
 * one. A coarse clock does so, too, but its steps are long. */
static bool is_noisy(const struct clock *c)
{
    int again = 0;
    double last = c->now();
    for (int i = 1; i < COST_CALLS; i++) {
        double now = c->now();
        again += now == last;
        last = now;
    }
    return c->tick_s > 0.0 && clock_grain(c) <= 0.0 && again > COST_CALLS / 4;
}

/* In a row of readings, the first one is late by anything up to the noise, the last one by the
 * noise. The middle half shows half of it, whatever disturbs some rows. */
static void find_noise(struct clock *c)
{
    double cost[NOISE_TRIES];
    for (int i = 0; i < NOISE_TRIES; i++) {
        clock_sleep(YIELD_S);
        cost[i] = cost_of(c);
    }
    stats_sort(cost, NOISE_TRIES);
    c->noise_s = 2.0 * COST_CALLS * (cost[NOISE_TRIES * 3 / 4] - cost[NOISE_TRIES / 4]);
    c->cost_s = cost[0];
    c->readings = (int)fmin(2.0 * c->noise_s / c->cost_s, MAX_READINGS);
}

void clock_calibrate(struct clock *c)
{
    c->now();
    /* The steps between successive readings: MPI_Wtick is not always right. */
    double smallest = DBL_MAX;
    double last = c->now();
    int steps = 0;
    for (int i = 0; i < MAX_TICK_CALLS && steps < TICK_STEPS; i++) {
        double now = c->now();
        if (now > last) {
            smallest = now - last < smallest ? now - last : smallest;
            steps++;
        }
        last = now;
    }
    c->tick_s = steps == 0 ? 0.0 : smallest;
    c->cost_s = cost_of(c);
    if (is_noisy(c))
        find_noise(c);
    c->sleep_late_s = sleep_late_of(c);
    c->sleep_gain = 0.0;
    c->first = hostclock_sight(c);
}

void clock_compare(struct clock *c)
{
    clock_sleep(c->first.at_s + RATE_S - hostclock_now());
    struct sighting last = hostclock_sight(c);
    double passed_s = last.at_s - c->first.at_s;
    c->gain = (last.offset_s - c->first.offset_s) / passed_s;
    c->gain_error = (c->first.error_s + last.error_s) / passed_s;
    /* Only sleeps by a clock that is faster than the system's would end late. */
    double drift = clock_grain(c) > 0.0 ? 0.0 : c->gain;
    c->sleep_gain = drift > SAME_RATE && drift < ANY_RATE ? -drift : 0.0;
}

bool clock_is_host(const struct clock *c)
{
    return c->noise_s <= 0.0 && fabs(c->gain) <= c->gain_error;
}

/* A clock that is set shows such a gain once. */
double clock_rate(struct clock *c)
{
    double gain = c->gain, error = c->gain_error;
    if (fabs(gain) - error <= ANY_RATE)
        return 1.0;
    c->first = hostclock_sight(c);
    clock_compare(c);
    return fabs(c->gain - gain) <= ANY_RATE + error + c->gain_error ? 1.0 + c->gain : 1.0;
}

double clock_grain(const struct clock *c)
{
    return c->tick_s > 2.0 * c->cost_s ? c->tick_s : 0.0;
}

double clock_read(const struct clock *c)
{
    double latest = c->now();
    for (int i = 1; i < c->readings; i++)
        latest = fmax(latest, c->now() - i * c->cost_s);
    return latest;
}

/* Waits by at least as many readings as clock_read makes, which show the instant. */
static double wait_closely(const struct clock *c, double instant_s)
{
    double began = c->now(), now = began, shown = began;
    while (now < instant_s && shown >= began) {
        shown = c->now();
        now = fmax(now + c->cost_s, shown);
    }
    return shown < began ? shown : now;
}

double clock_wait_until(const struct clock *c, double instant_s)
{
    double margin = 2.0 * c->sleep_late_s;
    double began = c->now(), now = began;
    if (c->wait_most_s > 0.0 && instant_s - now > c->wait_most_s)
        return now;
    if (instant_s - now > margin) {
        clock_sleep((instant_s - now - margin) * (1.0 + c->sleep_gain));
        now = c->now();
    }
    double close_s = c->readings > 1 ? c->noise_s + c->readings * c->cost_s : 0.0;
    while (now < instant_s - close_s && now >= began) {
        if (c->yield && instant_s - now > YIELD_S)
            clock_sleep(NAP_S);
        else if (c->yield)
            sched_yield();
        now = c->now();
    }
    return close_s > 0.0 && now >= began && now < instant_s ? wait_closely(c, instant_s) : now;
}

/* A drift is significant if it exceeds this number of standard errors. */
static const double SIGNIFICANT = 4.0;

double line_offset(const struct line *l, double at_s)
{
    return l->offset_s + l->drift * (at_s - l->at_s);
}

double line_map(const struct line *l, double at_s)
{
    return at_s + line_offset(l, at_s);
}

struct line line_inverse(const struct line *l)
{
    return (struct line){ .at_s = l->at_s + l->offset_s,
                          .offset_s = -l->offset_s,
                          .drift = 1.0 / (1.0 + l->drift) - 1.0,
                          .error_s = l->error_s };
}

struct line line_compose(const struct line *first, const struct line *then)
{
    double between_s = line_map(first, first->at_s);
    return (struct line){ .at_s = first->at_s,
                          .offset_s = first->offset_s + line_offset(then, between_s),
                          .drift = first->drift + then->drift + first->drift * then->drift,
                          .error_s = first->error_s + then->error_s };
}

/* Errors, whose inverse squares are the weights, are zero below the resolution of clocks. */
static const double RESOLUTION_S = 1e-9;

static double weight(const struct sighting *s)
{
    return 1.0 / (s->error_s * s->error_s + RESOLUTION_S * RESOLUTION_S);
}

/* Weighted sums around the means, because readings are large compared with their differences. */
struct sums {
    double weight;
    double at_s, offset_s, error_s; /* means */
    double tt, to, oo;
};

static struct sums means_of(const struct sighting *s, int n)
{
    struct sums m = { 0 };
    for (int i = 0; i < n; i++) {
        double w = weight(&s[i]);
        m.weight += w;
        m.at_s += w * (s[i].at_s - s[0].at_s);
        m.offset_s += w * (s[i].offset_s - s[0].offset_s);
        m.error_s += w * s[i].error_s;
    }
    m.at_s = s[0].at_s + m.at_s / m.weight;
    m.offset_s = s[0].offset_s + m.offset_s / m.weight;
    m.error_s /= m.weight;
    return m;
}

static struct sums sums_of(const struct sighting *s, int n)
{
    struct sums m = means_of(s, n);
    for (int i = 0; i < n; i++) {
        double t = s[i].at_s - m.at_s, o = s[i].offset_s - m.offset_s;
        double share = weight(&s[i]) / m.weight;
        m.tt += share * t * t;
        m.to += share * t * o;
        m.oo += share * o * o;
    }
    return m;
}

static double squares_about(const struct sums *m, double drift)
{
    double left = m->oo - 2.0 * drift * m->to + drift * drift * m->tt;
    return left > 0.0 ? left : 0.0;
}

static double drift_error(const struct sums *m, int n)
{
    if (n < 3 || m->tt <= 0.0)
        return INFINITY;
    return sqrt(squares_about(m, m->to / m->tt) / (n - 2) / m->tt);
}

double line_drift_error(const struct sighting *s, int n)
{
    struct sums m = sums_of(s, n);
    return drift_error(&m, n);
}

struct line line_fit(const struct sighting *s, int n, double drift)
{
    struct sums m = sums_of(s, n);
    double error = drift_error(&m, n);
    if (error < INFINITY) {
        double seen = m.to / m.tt;
        drift = fabs(seen) > SIGNIFICANT * error ? seen : 0.0;
    }
    return (struct line){ .at_s = m.at_s,
                          .offset_s = m.offset_s,
                          .drift = drift,
                          .scatter_s = sqrt(squares_about(&m, drift)),
                          .error_s = m.error_s };
}

static int by_error(const void *a, const void *b)
{
    const struct sighting *x = a, *y = b;
    return (x->error_s > y->error_s) - (x->error_s < y->error_s);
}

struct sighting sighting_best(struct sighting *s, int n, double grain_s)
{
    int best = (n + 3) / 4;
    qsort(s, (size_t)n, sizeof(*s), by_error);
    while (best < n && s[best].error_s < s[0].error_s + grain_s)
        best++;
    struct sums m = means_of(s, best);
    return (struct sighting){ m.at_s, m.offset_s, m.error_s };
}
