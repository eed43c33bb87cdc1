/* The loops of other benchmarks: nine rows, each by the protocol of one of them.
 *
 * bare_peers PROTOCOL SECONDS
 * prints the time of each row in microseconds. Every row takes the same part of the seconds, so
 * that their limits of repetitions do not matter; between batches of 200 rank 0 looks at its clock.
 * The protocols, and what their value is:
 * osu: OSU 7.4, a barrier after each call; mean of a process, averaged over the processes;
 * imb: IMB with -sync off, no barrier between calls; mean of the slowest process;
 * repro: ReproMPI, a barrier before each call; median of the slowest process's times;
 * skampi5: SKaMPI 5 with barriers, the same in batches of 8; mean of the middle half. */
#include <mpi.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INTS = 16384, MOST = 1 << 20, PROCESSES = 64 };

static int rank, size;
static int sent[INTS * PROCESSES], received[INTS * PROCESSES]; /* Alltoall: for each process */
static double own_us[MOST], slowest_us[MOST];

static void bcast(int count)
{
    MPI_Bcast(sent, count, MPI_INT, 0, MPI_COMM_WORLD);
}

static void alltoall(int count)
{
    MPI_Alltoall(sent, count, MPI_INT, received, count, MPI_INT, MPI_COMM_WORLD);
}

static void allreduce(int count)
{
    MPI_Allreduce(sent, received, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

/* Values of n repetitions; the time of rank 0 counts. */

/* Combines the processes' means. */
static double combined_mean(int n, MPI_Op op)
{
    double own = 0.0, all = 0.0;
    for (int i = 0; i < n; i++)
        own += own_us[i] / n;
    MPI_Reduce(&own, &all, 1, MPI_DOUBLE, op, 0, MPI_COMM_WORLD);
    return all;
}

static double average(int n)
{
    return combined_mean(n, MPI_SUM) / size;
}

static double largest(int n)
{
    return combined_mean(n, MPI_MAX);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double middle(int n, int omitted)
{
    double sum = 0.0;
    qsort(slowest_us, (size_t)n, sizeof(double), by_value);
    for (int i = omitted; i < n - omitted; i++)
        sum += slowest_us[i] / (n - 2 * omitted);
    return sum;
}

static double median(int n)
{
    return middle(n, (n - 1) / 2);
}

static double middle_half(int n)
{
    return middle(n, n / 4);
}

static const struct protocol {
    const char *name;
    bool before, after; /* barriers */
    int batch;
    double (*value)(int n);
} protocols[] = {
    { "osu", false, true, 200, average },
    { "imb", false, false, 200, largest },
    { "repro", true, false, 200, median },
    { "skampi5", true, false, 8, middle_half },
};

/* To rank 0, which says whether there is time for another batch. */
static int collect(int from, int count, double end_s)
{
    int more;
    MPI_Reduce(&own_us[from], &slowest_us[from], count, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    more = MPI_Wtime() < end_s && from + 2 * count <= MOST;
    MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return more;
}

static void repeat(const struct protocol *p, void (*call)(int), int count, double *us)
{
    for (int i = 0; i < p->batch; i++) {
        if (p->before)
            MPI_Barrier(MPI_COMM_WORLD);
        double start_s = MPI_Wtime();
        call(count);
        us[i] = (MPI_Wtime() - start_s) * 1e6;
        if (p->after)
            MPI_Barrier(MPI_COMM_WORLD);
    }
}

/* One batch warms up. */
static double row_us(const struct protocol *p, void (*call)(int), int count, double seconds)
{
    double end_s = MPI_Wtime() + seconds;
    int n = 0;
    repeat(p, call, count, own_us);
    collect(0, p->batch, end_s);
    do
        repeat(p, call, count, &own_us[n]);
    while (n += p->batch, collect(n - p->batch, p->batch, end_s));
    return p->value(n);
}

static const struct protocol *find(const char *name)
{
    for (size_t i = 0; i < sizeof(protocols) / sizeof(*protocols); i++)
        if (strcmp(protocols[i].name, name) == 0)
            return &protocols[i];
    fprintf(stderr, "bare_peers: no protocol '%s'\n", name);
    exit(2);
}

int main(int argc, char **argv)
{
    static void (*const calls[])(int) = { bcast, alltoall, allreduce };
    static const int counts[] = { 2, 256, INTS };
    const struct protocol *p = find(argc > 1 ? argv[1] : "");
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 9 && argc > 2; i++) {
        double us = row_us(p, calls[i / 3], counts[i % 3], atof(argv[2]) / 9);
        if (rank == 0)
            printf("%.6f\n", us);
    }
    MPI_Finalize();
    return 0;
}
