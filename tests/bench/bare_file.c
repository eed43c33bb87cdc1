/* Files as IMB-IO and IOR access them: a common file in which every call goes to the next place,
 * where the parts of all processes are side by side. What is read was written before; what is
 * written extends the file, which is emptied when it has PLACES_BYTES of a process.
 *
 * bare_file (write|read BYTES CALLS)...
 * prints a line with the median time in microseconds for each: of a call, after a barrier, on the
 * slowest process. The file is in the current directory. */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARGUMENTS = 3, MOST_PLACES = 1024, PLACES_BYTES = 32 << 20 };

static const char name[] = "bare_file.data";

struct loop {
    int rank, size, len_bytes, places;
    char *buffer; /* owned */
    MPI_File file;
};

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static MPI_Offset place(const struct loop *l, int i)
{
    return ((MPI_Offset)(i % l->places) * l->size + l->rank) * l->len_bytes;
}

static double call_us(struct loop *l, int writes, int i)
{
    if (writes && i % l->places == 0)
        MPI_File_set_size(l->file, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    double start_s = MPI_Wtime();
    if (writes)
        MPI_File_write_at(l->file, place(l, i), l->buffer, l->len_bytes, MPI_BYTE,
                          MPI_STATUS_IGNORE);
    else
        MPI_File_read_at(l->file, place(l, i), l->buffer, l->len_bytes, MPI_BYTE,
                         MPI_STATUS_IGNORE);
    double us = (MPI_Wtime() - start_s) * 1e6, slowest;
    MPI_Reduce(&us, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    return slowest;
}

static void run(struct loop *l, int writes, int n)
{
    double *us = malloc((size_t)n * sizeof(*us));
    l->buffer = malloc((size_t)l->len_bytes);
    l->places = PLACES_BYTES / l->len_bytes;
    l->places = l->places > MOST_PLACES ? MOST_PLACES : l->places;
    if (us == NULL || l->buffer == NULL)
        exit(2);
    memset(l->buffer, 1, (size_t)l->len_bytes);
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &l->file);
    for (int i = 0; i < l->places && !writes; i++)
        MPI_File_write_at(l->file, place(l, i), l->buffer, l->len_bytes, MPI_BYTE,
                          MPI_STATUS_IGNORE);
    MPI_File_sync(l->file);
    for (int i = 0; i < n; i++)
        us[i] = call_us(l, writes, i);
    qsort(us, (size_t)n, sizeof(*us), compare);
    if (l->rank == 0)
        printf("%.6f\n", us[n / 2]);
    MPI_File_close(&l->file);
    free(l->buffer);
    free(us);
}

int main(int argc, char **argv)
{
    struct loop l = { 0 };
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &l.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &l.size);
    for (int i = 1; i + ARGUMENTS <= argc; i += ARGUMENTS) {
        l.len_bytes = atoi(argv[i + 1]);
        run(&l, strcmp(argv[i], "write") == 0, atoi(argv[i + 2]));
    }
    MPI_Finalize();
    return 0;
}
