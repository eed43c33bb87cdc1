/* The true time of collective operations whose processes arrive late, on a simulated machine: from
 * the last arrival to the last exit.
 *
 * late OPERATION BYTES DELAYS...: DELAYS are microseconds for each rank, separated by commas; a
 * line for each. */
#include <mpi.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAUSE_S 0.5 /* longer than any operation */

static void operate(const char *name, int *send, int *receive, int count)
{
    if (strcmp(name, "Bcast") == 0)
        MPI_Bcast(send, count, MPI_INT, 0, MPI_COMM_WORLD);
    else if (strcmp(name, "Allreduce") == 0)
        MPI_Allreduce(send, receive, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    else if (strcmp(name, "Alltoall") == 0)
        MPI_Alltoall(send, count, MPI_INT, receive, count, MPI_INT, MPI_COMM_WORLD);
    else
        MPI_Gather(send, count, MPI_INT, receive, count, MPI_INT, 0, MPI_COMM_WORLD);
}

/* The delay of a rank, and the last one. */
static double delay_of(const char *list, int rank, double *last_s)
{
    double own_s = 0.0;
    *last_s = 0.0;
    for (int i = 0; *list != '\0'; i++) {
        char *end;
        double s = strtod(list, &end) * 1e-6;
        own_s = i == rank ? s : own_s;
        *last_s = s > *last_s ? s : *last_s;
        list = *end == ',' ? end + 1 : end;
    }
    return own_s;
}

int main(int argc, char **argv)
{
    int rank, size, count = argc < 3 ? 0 : atoi(argv[2]) / (int)sizeof(int);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    size_t bytes = ((size_t)count * (size_t)size + 1) * sizeof(int);
    int *send = calloc(1, bytes), *receive = calloc(1, bytes);
    for (int i = 3; i < argc; i++) {
        double last_s, own_s = delay_of(argv[i], rank, &last_s), start = i * PAUSE_S, took_s, all_s;
        sg_actor_sleep_for(start + own_s - simgrid_get_clock());
        operate(argv[1], send, receive, count);
        took_s = simgrid_get_clock() - start - last_s;
        /* Messages of processes that leave early must not meet those of the operation. */
        sg_actor_sleep_for(start + PAUSE_S / 2 - simgrid_get_clock());
        MPI_Reduce(&took_s, &all_s, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        if (rank == 0)
            printf("%s %.6f\n", argv[i], all_s * 1e6);
    }
    free(send);
    free(receive);
    MPI_Finalize();
    return 0;
}
