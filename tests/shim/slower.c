/* A preloaded library: MPI_Allreduce and MPI_Bcast take the part SKAMPI_SLOWER longer than they
 * do. */
#include <mpi.h>
#include <stdlib.h>

static void wait_longer(double begun_s)
{
    const char *part = getenv("SKAMPI_SLOWER");
    double now_s = PMPI_Wtime();
    double end_s = now_s + (part == NULL ? 0.0 : atof(part)) * (now_s - begun_s);
    while (now_s < end_s)
        now_s = PMPI_Wtime();
}

int MPI_Allreduce(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    double begun_s = PMPI_Wtime();
    int rc = PMPI_Allreduce(from, to, n, type, op, comm);
    wait_longer(begun_s);
    return rc;
}

int MPI_Bcast(void *buffer, int n, MPI_Datatype type, int root, MPI_Comm comm)
{
    double begun_s = PMPI_Wtime();
    int rc = PMPI_Bcast(buffer, n, type, root, comm);
    wait_longer(begun_s);
    return rc;
}
