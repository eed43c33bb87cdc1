#include "clock/idle.h"

#include <sched.h>

static const double SPIN_S = 20e-6;
static const double SLEEP_MOST_S = 5e-3;

void idle_wait(const struct clock *c, MPI_Request *request)
{
    double start = c->now();
    int done = 0;
    MPI_Test(request, &done, MPI_STATUS_IGNORE);
    while (!done) {
        double waited = c->now() - start;
        if (waited < SPIN_S)
            sched_yield();
        else
            clock_sleep(waited / 8.0 < SLEEP_MOST_S ? waited / 8.0 : SLEEP_MOST_S);
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
    }
}

void idle_bcast(const struct clock *c, void *bytes, int count, MPI_Comm comm)
{
    MPI_Request request;
    MPI_Ibcast(bytes, count, MPI_BYTE, 0, comm, &request);
    idle_wait(c, &request);
}
