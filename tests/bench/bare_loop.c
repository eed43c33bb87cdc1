/* What skampi's ping-pong is compared with: so many ping-pongs in a bare loop, timed as a whole.
 * Prints microseconds per round trip. */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void ping_pong(int rank, char *send, char *receive, int len)
{
    if (rank == 0) {
        MPI_Send(send, len, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
        MPI_Recv(receive, len, MPI_BYTE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Recv(receive, len, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(send, len, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int rank, len = argc > 1 ? atoi(argv[1]) : 8, repetitions = argc > 2 ? atoi(argv[2]) : 10000;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *send = malloc((size_t)len + 1), *receive = malloc((size_t)len + 1);
    memset(send, 1, (size_t)len + 1);
    memset(receive, 2, (size_t)len + 1);
    for (int i = 0; i < 1000; i++)
        ping_pong(rank, send, receive, len);
    double start = MPI_Wtime();
    for (int i = 0; i < repetitions; i++)
        ping_pong(rank, send, receive, len);
    double end = MPI_Wtime();
    if (rank == 0)
        printf("%.6f\n", (end - start) / repetitions * 1e6);
    free(send);
    free(receive);
    MPI_Finalize();
    return 0;
}
