#include "clock/host_clock.h"

#include <time.h>

enum { READINGS = 60 };

double hostclock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct sighting hostclock_sight(const struct clock *c)
{
    struct sighting seen[READINGS];
    for (int i = 0; i < READINGS; i++) {
        double before_s = hostclock_now();
        double shown_s = c->now();
        double half_s = (hostclock_now() - before_s) / 2.0;
        seen[i] = (struct sighting){ before_s + half_s, shown_s - (before_s + half_s), half_s };
    }
    return sighting_best(seen, READINGS);
}
