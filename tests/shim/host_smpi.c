/* The shim on a simulated machine, linked to the program. The simulator loads a copy of both for
 * each process; so each has its own variables and finds the shim's functions before MPI's. */
#include "shim.h"
#include "state.h"

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
