/* A program whose MPI calls are recorded on a simulated machine: the recorder is a part of it.
 *
 * program CALLS LATE_US OPERATION:BYTES...: that many calls of each operation in turn, between
 * which all processes compute until the same instant; one after the other is late by LATE_US.
 * Prints the simulated time of the calls, microseconds of all processes together, and the part in
 * which processes waited for the late one. */
#include <mpi.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PERIOD_S 0.01 /* longer than any call */

enum { MOST = 1 << 20 };

static int send_buffer[MOST], receive_buffer[MOST];

static void operate(const char *name, int count)
{
    if (strncmp(name, "Barrier", 7) == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    else if (strncmp(name, "Allreduce", 9) == 0)
        MPI_Allreduce(send_buffer, receive_buffer, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    else if (strncmp(name, "Alltoall", 8) == 0)
        MPI_Alltoall(send_buffer, count, MPI_INT, receive_buffer, count, MPI_INT, MPI_COMM_WORLD);
    else if (strncmp(name, "Allgather", 9) == 0)
        MPI_Allgather(send_buffer, count, MPI_INT, receive_buffer, count, MPI_INT, MPI_COMM_WORLD);
    else
        MPI_Bcast(send_buffer, count, MPI_INT, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, size, calls = argc < 4 ? 0 : atoi(argv[1]);
    double late_s = argc < 4 ? 0.0 : atof(argv[2]) * 1e-6, all_s = 0.0, sum_s, waited_s;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < calls; i++)
        for (int k = 3; k < argc; k++) {
            const char *bytes = strchr(argv[k], ':');
            double instant = (i * (argc - 3) + k - 2) * PERIOD_S;
            sg_actor_sleep_for(instant + (rank == i % size ? late_s : 0.0) - simgrid_get_clock());
            double start = simgrid_get_clock();
            operate(argv[k], bytes == NULL ? 0 : atoi(bytes + 1) / (int)sizeof(int));
            all_s += simgrid_get_clock() - start;
        }
    waited_s = late_s * (size - 1) / size * calls * (argc - 3);
    PMPI_Reduce(&all_s, &sum_s, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.6f %.6f\n", sum_s * 1e6, waited_s * size * 1e6);
    MPI_Finalize();
    return 0;
}
