/* What skampi is compared with: the loop that an engineer writes to find how long a call takes.
 *
 * bare_loop (OPERATION BYTES REPETITIONS)...
 * prints a line with the mean time in microseconds for each. Rank 0 times all repetitions of a
 * ping-pong as a whole. In a collective each process times its own call, after a barrier, and the
 * result is the average over repetitions and processes (as in OSU's benchmarks). */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_BYTES = 4096, ARGUMENTS = 3 };

struct loop {
    int rank, size, len_bytes;
    char *send, *receive; /* owned */
};

static void ping_pong(const struct loop *l)
{
    if (l->rank == 0) {
        MPI_Send(l->send, l->len_bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
        MPI_Recv(l->receive, l->len_bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (l->rank == 1) {
        MPI_Recv(l->receive, l->len_bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(l->send, l->len_bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
    }
}

static void bcast(const struct loop *l)
{
    MPI_Bcast(l->send, l->len_bytes / (int)sizeof(int), MPI_INT, 0, MPI_COMM_WORLD);
}

static void allreduce(const struct loop *l)
{
    MPI_Allreduce(l->send, l->receive, l->len_bytes / (int)sizeof(int), MPI_INT, MPI_SUM,
                  MPI_COMM_WORLD);
}

static double whole_s(const struct loop *l, void (*call)(const struct loop *), int n)
{
    double start_s = MPI_Wtime();
    for (int i = 0; i < n; i++)
        call(l);
    return MPI_Wtime() - start_s;
}

static double apart_s(const struct loop *l, void (*call)(const struct loop *), int n)
{
    double own_s = 0.0, all_s = 0.0;
    for (int i = 0; i < n; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double start_s = MPI_Wtime();
        call(l);
        own_s += MPI_Wtime() - start_s;
    }
    MPI_Reduce(&own_s, &all_s, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    return all_s / l->size;
}

static const struct row {
    const char *name;
    void (*call)(const struct loop *);
    double (*time_s)(const struct loop *, void (*)(const struct loop *), int n);
} rows[] = {
    { "ping-pong", ping_pong, whole_s },
    { "bcast", bcast, apart_s },
    { "allreduce", allreduce, apart_s },
};

static const struct row *find(const char *name)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    fprintf(stderr, "bare_loop: no operation '%s'\n", name);
    exit(2);
}

/* Touched, and aligned like skampi's buffers: only the measuring should differ. */
static char *page_aligned(size_t len)
{
    size_t pages = len / PAGE_BYTES + 1;
    char *p = aligned_alloc(PAGE_BYTES, pages * PAGE_BYTES);
    if (p == NULL)
        exit(2);
    return memset(p, 1, pages * PAGE_BYTES);
}

static void run(struct loop *l, const struct row *op, int n)
{
    l->send = page_aligned((size_t)l->len_bytes);
    l->receive = page_aligned((size_t)l->len_bytes);
    op->time_s(l, op->call, n / 10);
    double time_s = op->time_s(l, op->call, n);
    if (l->rank == 0)
        printf("%.6f\n", time_s / n * 1e6);
    free(l->send);
    free(l->receive);
}

int main(int argc, char **argv)
{
    struct loop l = { 0 };
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &l.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &l.size);
    for (int i = 1; i + ARGUMENTS <= argc; i += ARGUMENTS) {
        l.len_bytes = atoi(argv[i + 1]);
        run(&l, find(argv[i]), atoi(argv[i + 2]));
    }
    MPI_Finalize();
    return 0;
}
