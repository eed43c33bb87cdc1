/* The error of the global clock, against the known clocks of a preloaded shim (tests/shim).
 *
 * clock_error SECONDS
 * prints, for the global clock and for one that knows only offsets (a common method: a binomial
 * tree of exchanges): the milliseconds that synchronising took; the largest error over the ranks in
 * microseconds at once, and after the given seconds; and for the global clock also the error after
 * the check that precedes each suite. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "../shim/find_shim.h"

#include "clock/global_clock.h"

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

static struct line offsets_only(const struct clock *c)
{
    int rank, size;
    struct line own = { 0 }, parent;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int known = 1; known < size; known *= 2) {
        if (rank >= known && rank < 2 * known) {
            struct sighting seen = sighting_of(c, rank - known, false, MPI_COMM_WORLD);
            own = line_fit(&seen, 1, 0.0);
            MPI_Recv(&parent, sizeof(parent), MPI_BYTE, rank - known, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
            own = line_compose(&own, &parent);
        } else if (rank < known && rank + known < size) {
            sighting_of(c, rank + known, true, MPI_COMM_WORLD);
            MPI_Send(&own, sizeof(own), MPI_BYTE, rank + known, 0, MPI_COMM_WORLD);
        }
    }
    return own;
}

int main(int argc, char **argv)
{
    struct clock c = { .now = MPI_Wtime };
    struct global_clock g;
    int rank, size;
    double alone_s = argc > 1 ? atof(argv[1]) : 10.0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    c.yield = size > 2;
    clock_calibrate(&c);
    MPI_Barrier(MPI_COMM_WORLD);
    double start_s = c.now();
    struct line offsets = offsets_only(&c);
    double offsets_ms = (c.now() - start_s) * 1e3, offsets_us = error_us(&offsets);
    global_clock_init(&g, &c, MPI_COMM_WORLD);
    global_clock_synchronise(&g);
    double global_ms = g.spent_s * 1e3, global_us = error_us(&g.to_root);
    clock_sleep(alone_s);
    double left_us = error_us(&g.to_root), offsets_left_us = error_us(&offsets);
    global_clock_check(&g, MPI_COMM_WORLD, size);
    double used_us = error_us(&g.to_root);
    if (rank == 0)
        printf("global %.3f ms %.4f %.4f %.4f us\noffsets %.3f ms %.4f %.4f us\n", global_ms,
               global_us, left_us, used_us, offsets_ms, offsets_us, offsets_left_us);
    global_clock_release(&g);
    MPI_Finalize();
    return 0;
}
