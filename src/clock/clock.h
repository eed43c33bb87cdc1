/* The clock of a run and waiting by it. A field of the run, so that tests can put in another. */
#ifndef SKAMPI_CLOCK_CLOCK_H
#define SKAMPI_CLOCK_CLOCK_H

#include <stdbool.h>

struct clock {
    double (*now)(void); /* seconds since an instant of this process's own */
    double tick_s;       /* smallest step that was seen */
    double cost_s;       /* of one call of now */
    double sleep_late_s; /* how much later than asked a short sleep ended, at most */
    double wait_most_s;  /* no wait is longer, unless the clock was set; 0: any may be */
    bool yield;          /* other processes need this CPU: give it away while waiting */
};

/* Measures tick, cost and sleep_late of a clock whose now is set. Takes a few milliseconds. */
void clock_calibrate(struct clock *c);

/* Returns once the clock shows instant_s or more, with the value read then (no later reading is
 * needed to start timing). Far from the instant it sleeps, near it it spins, or yields. A clock
 * that was set back would be waited for too long: the value is less than instant_s then, and the
 * wait is over as soon as that is noticed. */
double clock_wait_until(const struct clock *c, double instant_s);

void clock_sleep(double seconds);

/* The tick of a clock that is read several times before it shows the next one; 0 where every
 * reading differs. */
double clock_grain(const struct clock *c);

#endif
