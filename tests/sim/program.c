/* A program whose MPI calls are recorded on a simulated machine: the recorder is a part of it.
 *
 * program CALLS LATE_US OPERATION:BYTES...: that many calls of each operation in turn, between
 * which all processes compute until the same instant; one after the other is late by LATE_US, or,
 * as LATE_US@RANK, always this one. Prints the simulated time of the calls, microseconds of all
 * processes together, and the part in which processes waited for the late one. */
#include <mpi.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PERIOD_S 0.01 /* longer than any call */

enum { MOST = 1 << 20, ROUND_TRIPS = 100, MOST_PROCESSES = 64 };

static int send_buffer[MOST], receive_buffer[MOST];

/* Processes 0 and 1; the others do nothing. The last message's way is in the time of process 0
 * only. */
static void ping_pong(int rank, int count)
{
    for (int i = 0; i < 2 * ROUND_TRIPS && rank < 2; i++)
        if (i % 2 == rank)
            MPI_Send(send_buffer, count, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
        else
            MPI_Recv(receive_buffer, count, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
}

/* Messages with the next and the previous process, and those at distance 2. */
static void halo(int rank, int count)
{
    static const int distances[] = { 1, -1, 2, -2 };
    MPI_Request all[8];
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 4; i++)
        MPI_Irecv(receive_buffer + i * count, count, MPI_INT, (rank + distances[i] + size) % size,
                  i ^ 1, MPI_COMM_WORLD, &all[i]);
    for (int i = 0; i < 4; i++)
        MPI_Isend(send_buffer + i * count, count, MPI_INT, (rank + distances[i] + size) % size, i,
                  MPI_COMM_WORLD, &all[4 + i]);
    MPI_Waitall(8, all, MPI_STATUSES_IGNORE);
}

/* Process i has i + 1 times COUNT; in an all-to-all, it sends that to each. */
static void irregular(const char *name, int rank, int size, int count)
{
    int counts[MOST_PROCESSES], begins[MOST_PROCESSES] = { 0 }, own[MOST_PROCESSES];
    int apart[MOST_PROCESSES];
    for (int i = 0; i < size; i++) {
        counts[i] = count * (i + 1);
        own[i] = count * (rank + 1);
        apart[i] = i * own[i];
        begins[i] = i == 0 ? 0 : begins[i - 1] + counts[i - 1];
    }
    if (strncmp(name, "Allgatherv", 10) == 0)
        MPI_Allgatherv(send_buffer, counts[rank], MPI_INT, receive_buffer, counts, begins, MPI_INT,
                       MPI_COMM_WORLD);
    else if (strncmp(name, "Alltoallv", 9) == 0)
        MPI_Alltoallv(send_buffer, own, apart, MPI_INT, receive_buffer, counts, begins, MPI_INT,
                      MPI_COMM_WORLD);
    else
        MPI_Reduce_scatter(send_buffer, receive_buffer, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void operate(const char *name, int rank, int size, int count)
{
    if (strstr(name, "v:") != NULL || strstr(name, "_scatter") != NULL)
        irregular(name, rank, size, count);
    else if (strncmp(name, "Pingpong", 8) == 0)
        ping_pong(rank, count);
    else if (strncmp(name, "Halo", 4) == 0)
        halo(rank, count);
    else if (strncmp(name, "Barrier", 7) == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    else if (strncmp(name, "Allreduce", 9) == 0)
        MPI_Allreduce(send_buffer, receive_buffer, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    else if (strncmp(name, "Alltoall", 8) == 0)
        MPI_Alltoall(send_buffer, count, MPI_INT, receive_buffer, count, MPI_INT, MPI_COMM_WORLD);
    else if (strncmp(name, "Allgather", 9) == 0)
        MPI_Allgather(send_buffer, count, MPI_INT, receive_buffer, count, MPI_INT, MPI_COMM_WORLD);
    else if (strncmp(name, "Reduce", 6) == 0)
        MPI_Reduce(send_buffer, receive_buffer, count, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    else
        MPI_Bcast(send_buffer, count, MPI_INT, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, size, calls = argc < 4 ? 0 : atoi(argv[1]);
    double late_s = argc < 4 ? 0.0 : atof(argv[2]) * 1e-6, all_s = 0.0, sum_s, waited_s;
    const char *who = argc < 4 ? NULL : strchr(argv[2], '@');
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < calls; i++)
        for (int k = 3; k < argc; k++) {
            const char *bytes = strchr(argv[k], ':');
            double instant = (i * (argc - 3) + k - 2) * PERIOD_S;
            sg_actor_sleep_for(instant +
                               (rank == (who == NULL ? i % size : atoi(who + 1)) ? late_s : 0.0) -
                               simgrid_get_clock());
            double start = simgrid_get_clock();
            operate(argv[k], rank, size, bytes == NULL ? 0 : atoi(bytes + 1) / (int)sizeof(int));
            all_s += simgrid_get_clock() - start;
        }
    waited_s = late_s * (size - 1) / size * calls * (argc - 3);
    PMPI_Reduce(&all_s, &sum_s, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.6f %.6f\n", sum_s * 1e6, waited_s * size * 1e6);
    MPI_Finalize();
    return 0;
}
