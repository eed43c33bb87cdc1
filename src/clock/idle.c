#include "clock/control.h"

#include <math.h>
#include <sched.h>

enum { TAG_IDLE = 56, AT_ONCE = 64 };

static const double SPIN_S = 20e-6;
static const double NAP_S = 1e-6;
static const double SLEEP_MOST_S = 5e-3;

void idle_wait(const struct clock *c, MPI_Request *request)
{
    double start = c->now();
    int done = 0;
    MPI_Test(request, &done, MPI_STATUS_IGNORE);
    while (!done) {
        double waited = c->now() - start;
        if (waited < SPIN_S && !c->naps)
            sched_yield();
        else
            clock_sleep(fmin(fmax(waited / 8.0, NAP_S), SLEEP_MOST_S));
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
    }
}

/* Sends to the processes from first to last - 1, step apart. */
static void send_to(const void *bytes, int count, int first, int last, int step, MPI_Comm comm)
{
    MPI_Request requests[AT_ONCE];
    int n = 0;
    for (int other = first; other < last; other += step) {
        MPI_Isend(bytes, count, MPI_BYTE, other, TAG_IDLE, comm, &requests[n++]);
        if (n == AT_ONCE || other + step >= last) {
            MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
            n = 0;
        }
    }
}

/* Two levels only, because each sleeping process on the way delays the message again. */
void idle_bcast(const struct clock *c, void *bytes, int count, MPI_Comm comm)
{
    int rank, size, group = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    while (group * group < size)
        group++;
    int first = rank - rank % group, last = first + group < size ? first + group : size;
    if (rank > 0) {
        MPI_Request request;
        MPI_Irecv(bytes, count, MPI_BYTE, rank == first ? 0 : first, TAG_IDLE, comm, &request);
        idle_wait(c, &request);
    }
    if (rank == 0)
        send_to(bytes, count, group, size, group, comm);
    if (rank == first)
        send_to(bytes, count, first + 1, last, 1, comm);
}
