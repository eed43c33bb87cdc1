/* Nanoseconds of short MPI calls that wait for nobody, with and without the recorder: lines of call
 * and time. */
#include <mpi.h>
#include <stdio.h>

enum { CALLS = 2000, ROUNDS = 200 };

static char buffer[8];

static void probe(void)
{
    int there;
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_SELF, &there, MPI_STATUS_IGNORE);
}

static void bcast(void)
{
    MPI_Bcast(buffer, sizeof(buffer), MPI_CHAR, 0, MPI_COMM_SELF);
}

static void waitall(void)
{
    MPI_Request none[4] = { MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL,
                            MPI_REQUEST_NULL };
    MPI_Waitall(4, none, MPI_STATUSES_IGNORE);
}

static void send(void)
{
    MPI_Send(buffer, sizeof(buffer), MPI_CHAR, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
}

static const struct {
    const char *name;
    void (*call)(void);
} calls[] = { { "Iprobe", probe }, { "Bcast", bcast }, { "Waitall", waitall }, { "Send", send } };

/* The shortest of many short rounds: what disturbs a round only makes it longer. */
static double ns_of(void (*call)(void))
{
    double best_s = 1e9;
    for (int round = 0; round < ROUNDS; round++) {
        double start = MPI_Wtime();
        for (int i = 0; i < CALLS; i++)
            call();
        double took_s = MPI_Wtime() - start;
        best_s = took_s < best_s ? took_s : best_s;
    }
    return best_s / CALLS * 1e9;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (unsigned i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
        double ns = ns_of(calls[i].call);
        if (rank == 0)
            printf("%s %.1f\n", calls[i].name, ns);
    }
    MPI_Finalize();
    return 0;
}
