/* The error of the global clock, against the known clocks of a preloaded shim (tests/shim).
 *
 * clock_error SECONDS
 * prints the milliseconds that synchronising took, and the largest error over the ranks in
 * microseconds: at once, after the given seconds, and after the check that precedes each suite. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "../shim/find_shim.h"

#include "context/global_clock.h"

#include <math.h>

/* Both clocks at the same true instant, so that no further measuring is needed. */
static double error_us(const struct line *to_root)
{
    struct shim s = find_shim();
    int rank;
    double true_s = s.true_s(), own, largest;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    own = fabs(line_map(to_root, s.reading(rank, true_s)) - s.reading(0, true_s)) * 1e6;
    MPI_Allreduce(&own, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return largest;
}

int main(int argc, char **argv)
{
    struct clock c = { .now = MPI_Wtime };
    struct global_clock g;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    c.yield = size > 2;
    clock_calibrate(&c);
    clock_compare(&c);
    MPI_Barrier(MPI_COMM_WORLD);
    global_clock_init(&g, &c, MPI_COMM_WORLD);
    global_clock_synchronise(&g);
    double once_us = error_us(&g.to_root);
    clock_sleep(argc > 1 ? atof(argv[1]) : 10.0);
    double left_us = error_us(&g.to_root);
    global_clock_check(&g, MPI_COMM_WORLD, size);
    double used_us = error_us(&g.to_root);
    if (rank == 0)
        printf("%.3f %.4f %.4f %.4f\n", g.spent_s * 1e3, once_us, left_us, used_us);
    global_clock_release(&g);
    MPI_Finalize();
    return 0;
}
