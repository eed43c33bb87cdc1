/* Makes MPI_Allreduce slower by SLOWER percent: after each call, the process spins for this part of
 * the call's time. Preloaded. */
#include <mpi.h>
#include <stdlib.h>

static double share(void)
{
    static double known = -1;
    if (known < 0) {
        const char *text = getenv("SLOWER");
        known = text != NULL ? atof(text) / 100 : 0;
    }
    return known;
}

int MPI_Allreduce(const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm)
{
    double start = PMPI_Wtime();
    int status = PMPI_Allreduce(send, receive, count, type, op, comm);
    double end = PMPI_Wtime();
    double until = end + share() * (end - start);
    while (PMPI_Wtime() < until)
        continue;
    return status;
}
