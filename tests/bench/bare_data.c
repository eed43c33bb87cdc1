/* The hand-written loops that skampi's data=kept, fresh and cold are compared with.
 *
 * bare_data (REGIME BYTES REPETITIONS)...
 * prints a line with the median time in microseconds for each: rank 0 times each round trip of a
 * ping-pong by itself, after rank 1 has said by an empty message that it is ready. */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_BYTES = 4096, CACHE_LINE = 64, COLD_BYTES = 1 << 27, ARGUMENTS = 3 };

struct loop {
    int rank, len_bytes;
    size_t room, set, sets; /* bytes for a message; the pair of buffers in use, of how many */
    char *memory;           /* owned */
    double *us;             /* owned */
};

static char *buffer(const struct loop *l, int which)
{
    return l->memory + (2 * l->set + (size_t)which) * l->room;
}

static void rewrite(struct loop *l)
{
    volatile char *send = buffer(l, 0);
    for (int i = 0; i < l->len_bytes; i += CACHE_LINE)
        send[i]++;
}

static void keep(struct loop *l)
{
}

static void move_on(struct loop *l)
{
    rewrite(l);
    l->set = (l->set + 1) % l->sets;
}

static double round_trip(const struct loop *l)
{
    char *send = buffer(l, 0), *receive = buffer(l, 1);
    if (l->rank == 1) {
        MPI_Send(NULL, 0, MPI_BYTE, 0, 2, MPI_COMM_WORLD);
        MPI_Recv(receive, l->len_bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(send, l->len_bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
        return 0.0;
    }
    MPI_Recv(NULL, 0, MPI_BYTE, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    double start_s = MPI_Wtime();
    MPI_Send(send, l->len_bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
    MPI_Recv(receive, l->len_bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return (MPI_Wtime() - start_s) * 1e6;
}

static const struct regime {
    const char *name;
    void (*prepare)(struct loop *);
    size_t bytes; /* of all buffers; 0: one pair */
} regimes[] = {
    { "kept", keep, 0 },
    { "fresh", rewrite, 0 },
    { "cold", move_on, COLD_BYTES },
};

static const struct regime *find(const char *name)
{
    for (size_t i = 0; i < sizeof(regimes) / sizeof(*regimes); i++)
        if (strcmp(regimes[i].name, name) == 0)
            return &regimes[i];
    fprintf(stderr, "bare_data: no regime '%s'\n", name);
    exit(2);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void take_memory(struct loop *l, const struct regime *r, int n)
{
    l->room = ((size_t)l->len_bytes / PAGE_BYTES + 1) * PAGE_BYTES;
    l->sets = r->bytes > 4 * l->room ? r->bytes / (2 * l->room) : 1;
    l->set = 0;
    l->memory = aligned_alloc(PAGE_BYTES, 2 * l->sets * l->room);
    l->us = malloc((size_t)n * sizeof(double));
    if (l->memory == NULL || l->us == NULL)
        exit(2);
    memset(l->memory, 1, 2 * l->sets * l->room);
}

static void run(struct loop *l, const struct regime *r, int n)
{
    take_memory(l, r, n);
    for (int i = -n / 10; i < n; i++) {
        r->prepare(l);
        double us = round_trip(l);
        if (i >= 0)
            l->us[i] = us;
    }
    qsort(l->us, (size_t)n, sizeof(double), ascending);
    if (l->rank == 0)
        printf("%.6f\n", l->us[n / 2]);
    free(l->memory);
    free(l->us);
}

int main(int argc, char **argv)
{
    struct loop l = { 0 };
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &l.rank);
    for (int i = 1; i + ARGUMENTS <= argc; i += ARGUMENTS) {
        l.len_bytes = atoi(argv[i + 1]);
        run(&l, find(argv[i]), atoi(argv[i + 2]));
    }
    MPI_Finalize();
    return 0;
}
