/* The shim on a simulated machine, linked to the program. The simulator loads a copy of both for
 * each process; so each has its own variables and finds the shim's functions before MPI's. With
 * SKAMPI_FAST_TIMERS, the computer's timers are a thousand times as fast. */
#define _GNU_SOURCE
#include "shim.h"
#include "state.h"

#include <dlfcn.h>
#include <mpi.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>

double shim_now(void)
{
    return PMPI_Wtime();
}

double shim_true(void)
{
    return simgrid_get_clock();
}

void shim_hold(double seconds)
{
    sg_actor_sleep_for(seconds);
}

/* The replacement for clock_gettime under smpicc. All clocks of the simulator are the same. */
int smpi_clock_gettime(clockid_t id, struct timespec *t)
{
    bool hostile = id == CLOCK_MONOTONIC && shim_state.settings.monotonic;
    *t = shim_timespec(hostile ? shim_read() : shim_now());
    return 0;
}

int timer_settime(timer_t timer, int flags, const struct itimerspec *at, struct itimerspec *old)
{
    int (*next)(timer_t, int, const struct itimerspec *, struct itimerspec *);
    const struct timespec *each = &at->it_interval;
    const struct timespec soon = { 0, each->tv_sec * 1000000 + each->tv_nsec / 1000 };
    const struct itimerspec fast = { soon, soon };
    *(void **)&next = dlsym(RTLD_NEXT, "timer_settime");
    return next(timer, flags, getenv("SKAMPI_FAST_TIMERS") == NULL ? at : &fast, old);
}
