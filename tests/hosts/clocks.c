/* The error of the global clock across hosts that are namespaces of one machine. The truth is known
 * there: all hosts read one CLOCK_MONOTONIC, to which each host's time namespace adds a known
 * number of seconds. Rank 0 prints a line for each other rank: rank, error, and the largest error
 * that the round trips used for the estimate allow, in microseconds. However long messages had to
 * wait for a CPU, the error is no larger. */
#include "context/global_clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CHECKS = 3 };

static const double APART_S = 0.1;

/* The offset that the namespace adds; 0 without namespaces. */
static double ahead_s(void)
{
    char line[80];
    double seconds = 0.0;
    FILE *in = fopen("/proc/self/timens_offsets", "r");
    while (in != NULL && fgets(line, sizeof(line), in) != NULL)
        sscanf(line, "monotonic %lf", &seconds);
    if (in != NULL)
        fclose(in);
    return seconds;
}

struct judgement {
    double error_us, most_us;
};

static struct judgement judge(const struct global_clock *g)
{
    struct sighting own = hostclock_sight(g->clock), root;
    own.offset_s += ahead_s();
    root = own;
    MPI_Bcast(&root, sizeof(root), MPI_BYTE, 0, g->all);
    double believed_s = line_offset(&g->to_root, g->clock->now());
    double error_s = fabs(believed_s - (root.offset_s - own.offset_s));
    double most_s = g->to_root.error_s + root.error_s + own.error_s;
    return (struct judgement){ error_s * 1e6, most_s * 1e6 };
}

static void print(const struct judgement *all, int size)
{
    for (int i = 1; i < size; i++)
        printf("%d %.6f %.6f\n", i, all[i].error_us, all[i].most_us);
}

int main(int argc, char **argv)
{
    struct clock c = { .now = MPI_Wtime, .yield = true };
    struct global_clock g;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    clock_calibrate(&c);
    clock_compare(&c);
    global_clock_init(&g, &c, MPI_COMM_WORLD);
    global_clock_synchronise(&g);
    for (int i = 0; i < CHECKS; i++) {
        clock_sleep(APART_S);
        global_clock_check(&g, MPI_COMM_WORLD, size);
    }
    struct judgement own = judge(&g), *all = calloc((size_t)size, sizeof(own));
    if (all == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Gather(&own, sizeof(own), MPI_BYTE, all, sizeof(own), MPI_BYTE, 0, MPI_COMM_WORLD);
    if (rank == 0)
        print(all, size);
    free(all);
    global_clock_release(&g);
    MPI_Finalize();
    return 0;
}
