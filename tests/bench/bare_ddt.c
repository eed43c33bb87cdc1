/* What method=manual of the tests of ddtbench is compared with: loops written by hand for the same
 * layouts (ddt_loops.c), timed as ddtbench times its own. No code is shared with skampi.
 *
 * bare_ddt (TEST BYTES BUFFERS OUTER INNER)...
 * prints a line with the medians of five times in microseconds for each: allocating the message's
 * buffer, packing, communication, unpacking, freeing the buffer; and how long it takes to read the
 * clock, which each time includes once. Rank 0 reads the clock after each
 * of them, and a time is the interval since the previous reading. Communication is a full round
 * trip and includes what rank 1 unpacks and packs. Each of OUTER allocations is followed by INNER
 * round trips. BUFFERS: 1, a message is sent and received in the same buffer, as in ddtbench; 2. */
#include "ddt_loops.h"

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARGUMENTS = 5, NUMBERS = 12, SEED = 1, PAGE_BYTES = 4096 };

/* The sizes of known application runs, for each test whose name begins with this. */
static const struct size {
    const char *test;
    long bytes, k[NUMBERS];
} sizes[] = {
    { "WRF_x", 173712, { -4, 27, 1, 65, 34, 85, 18, 20, 1, 65, 38, 81 } },
    { "WRF_x", 102648, { 4, 27, 1, 65, 14, 47, 18, 20, 1, 65, 18, 43 } },
    { "WRF_x", 63168, { 4, 22, 1, 65, 4, 27, 13, 15, 1, 65, 8, 23 } },
    { "WRF_y", 90804, { -4, 27, 1, 65, 34, 85, 1, 23, 1, 65, 41, 43 } },
    { "WRF_y", 75012, { 8, 34, 1, 65, 21, 61, 12, 30, 1, 65, 28, 30 } },
    { "WRF_y", 63168, { 4, 27, 1, 65, 14, 47, 8, 23, 1, 65, 21, 23 } },
    { "WRF_y", 55272, { 10, 31, 1, 65, 10, 39, 14, 27, 1, 65, 17, 19 } },
    { "WRF_y", 43428, { 4, 22, 1, 65, 4, 27, 8, 18, 1, 65, 11, 13 } },
    { "MILC", 98304, { 16, 16, 16, 16 } },
    { "MILC", 49152, { 8, 16, 16, 16 } },
    { "MILC", 24576, { 8, 8, 8, 16 } },
    { "MILC", 12288, { 8, 8, 8, 8 } },
    { "NAS_LU", 480, { 12 } },
    { "NAS_LU", 1320, { 33 } },
    { "NAS_LU", 2560, { 64 } },
    { "NAS_LU", 4080, { 102 } },
    { "NAS_LU", 6480, { 162 } },
    { "NAS_LU", 16320, { 408 } },
    { "NAS_LU", 40800, { 1020 } },
    { "NAS_MG_x", 2048, { 34, 18, 18 } },
    { "NAS_MG_x", 32768, { 130, 66, 66 } },
    { "NAS_MG_x", 131072, { 258, 130, 130 } },
    { "NAS_MG_x", 524288, { 514, 258, 258 } },
    { "NAS_MG", 4096, { 34, 18, 18 } },
    { "NAS_MG", 65536, { 130, 66, 66 } },
    { "NAS_MG", 262144, { 258, 130, 130 } },
    { "NAS_MG", 1048576, { 514, 258, 258 } },
    { "LAMMPS_full", 195968, { 3534, 3062 } },
    { "LAMMPS_full", 143552, { 2597, 2243 } },
    { "LAMMPS_full", 106368, { 1907, 1662 } },
    { "LAMMPS_atomic", 11664, { 4084, 243 } },
    { "LAMMPS_atomic", 6960, { 2157, 145 } },
    { "LAMMPS_atomic", 5472, { 1217, 114 } },
    { "SPECFEM3D_oc", 12900, { 88881, 3225 } },
    { "SPECFEM3D_oc", 7588, { 38585, 1897 } },
    { "SPECFEM3D_oc", 3508, { 12857, 877 } },
    { "SPECFEM3D_oc", 1972, { 3697, 493 } },
    { "SPECFEM3D_cm", 177672, { 834917, 51153, 11797, 3009 } },
    { "SPECFEM3D_cm", 106248, { 396849, 22477, 7125, 1729 } },
    { "SPECFEM3D_cm", 55224, { 152001, 7209, 3801, 801 } },
    { "SPECFEM3D_cm", 26424, { 39929, 1225, 1957, 245 } },
    { "SPECFEM3D_mt", 91200, { 7600 } },
    { "SPECFEM3D_mt", 76800, { 6400 } },
    { "SPECFEM3D_mt", 67200, { 5600 } },
    { "SPECFEM3D_mt", 74400, { 6200 } },
    { "FFT", 524288, { 256 } },
    { "FFT", 2097152, { 512 } },
    { "FFT", 4718592, { 768 } },
    { "FFT", 8388608, { 1024 } },
    { "FFT", 18874368, { 1536 } },
};

static const long *size_find(const char *test, long bytes)
{
    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
        if (sizes[i].bytes == bytes && strncmp(sizes[i].test, test, strlen(sizes[i].test)) == 0)
            return sizes[i].k;
    fprintf(stderr, "bare_ddt: %s is not measured at %ld bytes\n", test, bytes);
    exit(2);
}

enum phase { CREATE, PACK, COMMUNICATION, UNPACK, FREE, PHASES };

/* The times of each phase, since the previous reading. */
struct times {
    double last_s;
    double *us[PHASES]; /* owned */
    int count[PHASES];
};

static void mark(struct times *t, enum phase p)
{
    double now_s = MPI_Wtime();
    t->us[p][t->count[p]++] = (now_s - t->last_s) * 1e6;
    t->last_s = now_s;
}

static void unpack(const struct exchange *x, const struct loops *l)
{
    if (l->unpack != NULL)
        l->unpack(x);
}

static void ping_pong(struct exchange *x, const struct loops *l, int bytes, struct times *t)
{
    if (x->rank == 0) {
        l->pack(x);
        mark(t, PACK);
        MPI_Send(x->message, bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
        MPI_Recv(x->arrived, bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        mark(t, COMMUNICATION);
        unpack(x, l);
        mark(t, UNPACK);
    } else if (x->rank == 1) {
        MPI_Recv(x->arrived, bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        unpack(x, l);
        l->pack(x);
        MPI_Send(x->message, bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
    }
}

static void alltoall(const struct exchange *x, int bytes)
{
    MPI_Alltoall(x->message, bytes / x->size, MPI_BYTE, x->arrived, bytes / x->size, MPI_BYTE,
                 MPI_COMM_WORLD);
}

/* There and back. */
static void transpose(struct exchange *x, const struct loops *l, int bytes, struct times *t)
{
    x->turn = 0;
    l->pack(x);
    mark(t, PACK);
    alltoall(x, bytes);
    l->unpack(x);
    x->turn = 1;
    l->pack(x);
    alltoall(x, bytes);
    mark(t, COMMUNICATION);
    l->unpack(x);
    mark(t, UNPACK);
}

/* Aligned like skampi's buffers: the number of pages that a message touches counts. */
static void *page_aligned(size_t bytes)
{
    return aligned_alloc(PAGE_BYTES, (bytes / PAGE_BYTES + 1) * PAGE_BYTES);
}

/* Where messages are received: in the array, in the message's buffer, or in a second one. */
static void *place_to_arrive(const struct exchange *x, const struct loops *l, size_t bytes)
{
    if (l->unpack == NULL)
        return x->f[1];
    return x->buffers == 1 && !l->transposes ? x->message : page_aligned(bytes);
}

static void create(struct exchange *x, const struct loops *l, long bytes)
{
    x->message = page_aligned((size_t)bytes);
    x->arrived = place_to_arrive(x, l, (size_t)bytes);
    if (x->message == NULL || x->arrived == NULL)
        exit(2);
}

static void destroy(const struct exchange *x, const struct loops *l)
{
    if (l->unpack != NULL && x->arrived != x->message)
        free(x->arrived);
    free(x->message);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *us, int n)
{
    qsort(us, (size_t)n, sizeof(double), ascending);
    return n == 0 ? 0.0 : (us[(n - 1) / 2] + us[n / 2]) / 2.0;
}

static void repeat(struct exchange *x, const struct loops *l, long bytes, const int *counts,
                   struct times *t)
{
    unsigned seed = SEED;
    for (int outer = 0; outer < counts[0]; outer++) {
        if (l->lists != NULL)
            l->lists(x, &seed);
        t->last_s = MPI_Wtime();
        create(x, l, bytes);
        mark(t, CREATE);
        for (int inner = 0; inner < counts[1]; inner++)
            (l->transposes ? transpose : ping_pong)(x, l, (int)bytes, t);
        destroy(x, l);
        mark(t, FREE);
    }
}

static void release(struct exchange *x, struct times *t)
{
    for (int i = 0; i < ARRAYS; i++) {
        free(x->f[i]);
        free(x->d[i]);
    }
    for (int i = 0; i < LISTS; i++)
        free(x->list[i]);
    for (int p = 0; p < PHASES; p++)
        free(t->us[p]);
}

static double reading_us(void)
{
    enum { READINGS = 1000 };
    double start_s = MPI_Wtime(), last_s = start_s;
    for (int i = 0; i < READINGS; i++)
        last_s = MPI_Wtime();
    return (last_s - start_s) * 1e6 / READINGS;
}

static void run(const char *test, long bytes, int buffers, const int *counts)
{
    const struct loops *l = loops_find(test);
    struct exchange x = { .k = size_find(test, bytes), .buffers = buffers };
    struct times t = { 0 };
    MPI_Comm_rank(MPI_COMM_WORLD, &x.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &x.size);
    for (int p = 0; p < PHASES; p++)
        if ((t.us[p] = malloc((size_t)counts[0] * (size_t)counts[1] * sizeof(double))) == NULL)
            exit(2);
    l->arrays(&x);
    repeat(&x, l, bytes, counts, &t);
    for (int p = 0; p < PHASES && x.rank == 0; p++)
        printf("%.6f ", median(t.us[p], t.count[p]));
    if (x.rank == 0)
        printf("%.6f\n", reading_us());
    release(&x, &t);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int i = 1; i + ARGUMENTS <= argc; i += ARGUMENTS) {
        int counts[] = { atoi(argv[i + 3]), atoi(argv[i + 4]) };
        run(argv[i], atol(argv[i + 1]), atoi(argv[i + 2]), counts);
    }
    MPI_Finalize();
    return 0;
}
