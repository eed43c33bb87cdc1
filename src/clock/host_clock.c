#include "clock/host_clock.h"

#include <time.h>

/* A coarse clock is read at instants spread evenly over some ticks: the mean shows its position
 * within a tick. */
enum { READINGS = 60, TICKS = 4 };

double hostclock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double wait_until(double instant_s)
{
    double now_s = hostclock_now();
    while (now_s < instant_s)
        now_s = hostclock_now();
    return now_s;
}

struct sighting hostclock_sight(const struct clock *c)
{
    struct sighting seen[READINGS];
    double grain_s = clock_grain(c), start_s = hostclock_now();
    for (int i = 0; i < READINGS; i++) {
        double before_s = wait_until(start_s + i * TICKS * grain_s / READINGS);
        double shown_s = c->now();
        double half_s = (hostclock_now() - before_s) / 2.0;
        seen[i] = (struct sighting){ before_s + half_s, shown_s - (before_s + half_s), half_s };
    }
    struct sighting best = sighting_best(seen, READINGS, grain_s);
    best.error_s += grain_s;
    return best;
}
