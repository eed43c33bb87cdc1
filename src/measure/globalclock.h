/* One time for all processes of a communicator: rank 0's clock, known to every other rank by the
 * offset of its own (manual 3.1.5: "clock synchronization"). */
#ifndef SKAMPI_MEASURE_GLOBALCLOCK_H
#define SKAMPI_MEASURE_GLOBALCLOCK_H

#include "measure/clock.h"

#include <mpi.h>

struct global_clock {
    double offset_s; /* own clock minus rank 0's */
    double error_s;  /* half the width of the interval that holds the true offset */
};

/* Collective; pairs along a binomial tree, in parallel, ceil(log2 p) rounds. Each pair exchanges
 * messages; every exchange bounds the offset from both sides, and the narrowest interval holds. */
struct global_clock global_clock_synchronise(const struct clock *c, MPI_Comm comm);

/* The two sides of one pair: rank 0's view of the other's clock, and the answering side. */
struct global_clock global_clock_compare(const struct clock *c, int other, MPI_Comm comm);
void global_clock_answer(const struct clock *c, int other, MPI_Comm comm);

double global_clock_to_local(const struct global_clock *g, double global_s);

#endif
