#include "clock/clock.h"

#include "stats/stats.h"

#include <float.h>
#include <math.h>
#include <sched.h>
#include <time.h>

enum { COST_CALLS = 1000, TICK_STEPS = 100, MAX_TICK_CALLS = 1000000, SLEEPS = 9 };

/* Beside a program that does not yield, a process that yields gets its CPU back after some
 * milliseconds, and one that wakes up from a nap at once. So it yields only at the end of a wait.
 */
static const double YIELD_S = 150e-6, NAP_S = 50e-6;

void clock_sleep(double seconds)
{
    if (seconds <= 0.0)
        return;
    double whole = (double)(time_t)seconds;
    struct timespec t = { (time_t)seconds, (long)((seconds - whole) * 1e9) };
    nanosleep(&t, NULL);
}

/* Measures the steps between successive readings, because MPI_Wtick is not always right. */
static double tick_of(const struct clock *c)
{
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
    return steps == 0 ? 0.0 : smallest;
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

void clock_calibrate(struct clock *c)
{
    c->now();
    c->tick_s = tick_of(c);
    c->cost_s = cost_of(c);
    c->sleep_late_s = sleep_late_of(c);
}

double clock_grain(const struct clock *c)
{
    return c->tick_s > 2.0 * c->cost_s ? c->tick_s : 0.0;
}

double clock_wait_until(const struct clock *c, double instant_s)
{
    double margin = 2.0 * c->sleep_late_s;
    double began = c->now(), now = began;
    if (c->wait_most_s > 0.0 && instant_s - now > c->wait_most_s)
        return now;
    if (instant_s - now > margin) {
        clock_sleep(instant_s - now - margin);
        now = c->now();
    }
    while (now < instant_s && now >= began) {
        if (c->yield && instant_s - now > YIELD_S)
            clock_sleep(NAP_S);
        else if (c->yield)
            sched_yield();
        now = c->now();
    }
    return now;
}
