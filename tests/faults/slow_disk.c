/* A preloaded library that makes a disk with known times: fsync takes 30 ms, and MPI_File_write_at
 * 4 ms on rank 1 and nothing on the others, but 100 ms more if the file is empty. */
#define _GNU_SOURCE
#include <mpi.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const struct timespec SYNC = { 0, 30000000 }, WRITE = { 0, 4000000 },
                             FIRST_WRITE = { 0, 100000000 };

int fsync(int fd)
{
    int rc = (int)syscall(SYS_fsync, fd);
    nanosleep(&SYNC, NULL);
    return rc;
}

int MPI_File_write_at(MPI_File file, MPI_Offset at, const void *from, int count, MPI_Datatype type,
                      MPI_Status *status)
{
    int rank;
    MPI_Offset size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_File_get_size(file, &size);
    if (size == 0)
        nanosleep(&FIRST_WRITE, NULL);
    if (rank == 1)
        nanosleep(&WRITE, NULL);
    return PMPI_File_write_at(file, at, from, count, type, status);
}
