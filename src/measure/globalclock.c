#include "measure/globalclock.h"

#include <float.h>

enum { EXCHANGES = 20, TAG = 53 };

struct global_clock global_clock_compare(const struct clock *c, int other, MPI_Comm comm)
{
    double low = -DBL_MAX, high = DBL_MAX; /* of: other's clock minus own */
    for (int i = 0; i < EXCHANGES; i++) {
        double there;
        /* pairs in lockstep would delay each other in the same order every time */
        clock_wait_until(c, c->now() + (double)((i * 37 + other * 11) % 41) * 0.25e-6);
        double sent = c->now();
        MPI_Send(&sent, 1, MPI_DOUBLE, other, TAG, comm);
        MPI_Recv(&there, 1, MPI_DOUBLE, other, TAG, comm, MPI_STATUS_IGNORE);
        double received = c->now();
        low = there - received > low ? there - received : low;
        high = there - sent < high ? there - sent : high;
    }
    return (struct global_clock){ (low + high) / 2.0, (high - low) / 2.0 };
}

void global_clock_answer(const struct clock *c, int other, MPI_Comm comm)
{
    for (int i = 0; i < EXCHANGES; i++) {
        double ignored;
        MPI_Recv(&ignored, 1, MPI_DOUBLE, other, TAG, comm, MPI_STATUS_IGNORE);
        double now = c->now();
        MPI_Send(&now, 1, MPI_DOUBLE, other, TAG, comm);
    }
}

/* Both ask and both answer: whatever one of the two roles costs more than the other cancels out.
 * The parent knows its own offset already, so that the child gets its own to rank 0. */
static void teach(const struct clock *c, const struct global_clock *own, int child, MPI_Comm comm)
{
    struct global_clock seen = global_clock_compare(c, child, comm);
    global_clock_answer(c, child, comm);
    double told[4] = { own->offset_s, own->error_s, seen.offset_s, seen.error_s };
    MPI_Send(told, 4, MPI_DOUBLE, child, TAG, comm);
}

static struct global_clock learn(const struct clock *c, int parent, MPI_Comm comm)
{
    double told[4];
    global_clock_answer(c, parent, comm);
    struct global_clock seen = global_clock_compare(c, parent, comm);
    MPI_Recv(told, 4, MPI_DOUBLE, parent, TAG, comm, MPI_STATUS_IGNORE);
    return (struct global_clock){ told[0] + (told[2] - seen.offset_s) / 2.0,
                                  told[1] + (told[3] + seen.error_s) / 2.0 };
}

struct global_clock global_clock_synchronise(const struct clock *c, MPI_Comm comm)
{
    int rank, size;
    struct global_clock own = { 0.0, 0.0 };
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (int known = 1; known < size; known *= 2) {
        if (rank >= known && rank < 2 * known)
            own = learn(c, rank - known, comm);
        else if (rank < known && rank + known < size)
            teach(c, &own, rank + known, comm);
    }
    return own;
}

double global_clock_to_local(const struct global_clock *g, double global_s)
{
    return global_s + g->offset_s;
}
