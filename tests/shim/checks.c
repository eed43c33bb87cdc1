/* Compares the checks of the global clock with the known clocks of the shim.
 *
 * checks N SECONDS   synchronises, then makes N checks at this interval, and prints a line for
 *                    each, in microseconds, with the maxima over pairs of ranks:
 *                    "TRUE_BEFORE FOUND TRUE_AFTER LEFT BOUND REFRESHED" */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "find_shim.h"

#include "context/global_clock.h"

/* How far the estimates of two processes are apart at the same true instant: computed, not
 * measured. */
static double true_error_s(const struct global_clock *g)
{
    struct shim s = find_shim();
    int rank;
    MPI_Comm_rank(g->all, &rank);
    double true_s = s.true_s(), all_s[2];
    double off_s = line_map(&g->to_root, s.reading(rank, true_s)) - s.reading(0, true_s);
    MPI_Allreduce((double[]){ off_s, -off_s }, all_s, 2, MPI_DOUBLE, MPI_MAX, g->all);
    return all_s[0] + all_s[1];
}

static void check(struct global_clock *g, int processes, int rank)
{
    g->refreshed = 0;
    double before_s = true_error_s(g);
    global_clock_check(g, g->all, processes);
    double after_s = true_error_s(g);
    if (rank == 0)
        printf("%.6f %.6f %.6f %.6f %.6f %d\n", before_s * 1e6, g->before.found_s * 1e6,
               after_s * 1e6, g->after.found_s * 1e6, g->bound_s * 1e6, g->refreshed);
}

int main(int argc, char **argv)
{
    struct clock c = { .now = MPI_Wtime };
    struct global_clock g;
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 1;
    double apart_s = argc > 2 ? atof(argv[2]) : 1.0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    clock_calibrate(&c);
    clock_compare(&c);
    global_clock_init(&g, &c, MPI_COMM_WORLD);
    global_clock_synchronise(&g);
    for (int i = 0; i < n; i++) {
        clock_sleep(apart_s);
        check(&g, size, rank);
    }
    global_clock_release(&g);
    MPI_Finalize();
    return 0;
}
