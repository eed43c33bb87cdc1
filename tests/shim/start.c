/* A preloaded library that counts what skampi does while it starts. MPI_Finalize prints it for all
 * processes together: calls of MPI_T_init_thread before and after MPI_Init, and messages of bytes
 * until the first barrier, which follows the synchronisation of the clocks: its wishes and answers.
 */
#include <mpi.h>
#include <stdio.h>

enum { TOOLS_BEFORE, TOOLS_AFTER, MESSAGES, COUNTS };

static int counts[COUNTS], started;

int MPI_T_init_thread(int required, int *provided)
{
    int after;
    PMPI_Initialized(&after);
    counts[after ? TOOLS_AFTER : TOOLS_BEFORE]++;
    return PMPI_T_init_thread(required, provided);
}

int MPI_Send(const void *out, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    counts[MESSAGES] += !started && type == MPI_BYTE;
    return PMPI_Send(out, count, type, to, tag, comm);
}

int MPI_Barrier(MPI_Comm comm)
{
    started = 1;
    return PMPI_Barrier(comm);
}

int MPI_Finalize(void)
{
    int rank, sums[COUNTS];
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Reduce(counts, sums, COUNTS, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        fprintf(stderr, "start: tools %d+%d messages %d\n", sums[TOOLS_BEFORE], sums[TOOLS_AFTER],
                sums[MESSAGES]);
    return PMPI_Finalize();
}
