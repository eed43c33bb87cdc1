/* Programs to compare skampi with: the loops that an engineer writes to find how long a call takes.
 *
 * bare_loop (OPERATION BYTES REPETITIONS)...
 * prints a line with the mean time of rank 0 in microseconds for each, after a tenth of the
 * repetitions:
 * ping-pong;
 * one way, both ways: windows of messages from one buffer to one buffer, with an acknowledgement in
 * one direction, as in osu_bw and osu_bibw;
 * Bcast, Waitall: calls of a process that wait for nobody.
 * Without arguments it only starts and ends. */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARGUMENTS = 3, PAGE_BYTES = 4096, WINDOW = 64, TAG = 100, TAG_ACK };

struct loop {
    int rank, len_bytes;
    char *send, *receive; /* owned */
    MPI_Request requests[2 * WINDOW];
};

static void ping_pong(struct loop *l)
{
    if (l->rank == 0)
        MPI_Send(l->send, l->len_bytes, MPI_BYTE, 1, TAG, MPI_COMM_WORLD);
    MPI_Recv(l->receive, l->len_bytes, MPI_BYTE, 1 - l->rank, TAG, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    if (l->rank == 1)
        MPI_Send(l->send, l->len_bytes, MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
}

static void irecv(struct loop *l, MPI_Request *requests)
{
    for (int i = 0; i < WINDOW; i++)
        MPI_Irecv(l->receive, l->len_bytes, MPI_BYTE, 1 - l->rank, TAG, MPI_COMM_WORLD,
                  &requests[i]);
}

static void isend(struct loop *l, MPI_Request *requests)
{
    for (int i = 0; i < WINDOW; i++)
        MPI_Isend(l->send, l->len_bytes, MPI_BYTE, 1 - l->rank, TAG, MPI_COMM_WORLD, &requests[i]);
}

static void one_way(struct loop *l)
{
    (l->rank == 0 ? isend : irecv)(l, l->requests);
    MPI_Waitall(WINDOW, l->requests, MPI_STATUSES_IGNORE);
    if (l->rank == 0)
        MPI_Recv(NULL, 0, MPI_BYTE, 1, TAG_ACK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_ACK, MPI_COMM_WORLD);
}

static void both_ways(struct loop *l)
{
    irecv(l, l->requests);
    isend(l, l->requests + WINDOW);
    MPI_Waitall(WINDOW, l->requests + WINDOW, MPI_STATUSES_IGNORE);
    MPI_Waitall(WINDOW, l->requests, MPI_STATUSES_IGNORE);
}

static void bcast(struct loop *l)
{
    MPI_Bcast(l->send, l->len_bytes, MPI_BYTE, 0, MPI_COMM_SELF);
}

static void waitall(struct loop *l)
{
    MPI_Request none[] = { MPI_REQUEST_NULL, MPI_REQUEST_NULL };
    MPI_Waitall(2, none, MPI_STATUSES_IGNORE);
}

static const struct row {
    const char *name;
    void (*call)(struct loop *l);
} rows[] = {
    { "ping-pong", ping_pong }, { "one way", one_way }, { "both ways", both_ways },
    { "Bcast", bcast },         { "Waitall", waitall },
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
static char *page_aligned(int len)
{
    size_t pages = (size_t)len / PAGE_BYTES + 1;
    char *p = aligned_alloc(PAGE_BYTES, pages * PAGE_BYTES);
    if (p == NULL)
        exit(2);
    return memset(p, 1, pages * PAGE_BYTES);
}

static double mean_s(struct loop *l, const struct row *op, int n)
{
    MPI_Barrier(MPI_COMM_WORLD);
    double start_s = MPI_Wtime();
    for (int i = 0; i < n; i++)
        op->call(l);
    return (MPI_Wtime() - start_s) / n;
}

static void run(struct loop *l, const struct row *op, int n)
{
    l->send = page_aligned(l->len_bytes);
    l->receive = page_aligned(l->len_bytes);
    mean_s(l, op, n / 10);
    double took_s = mean_s(l, op, n);
    MPI_Barrier(MPI_COMM_WORLD);
    if (l->rank == 0)
        printf("%.6f\n", took_s * 1e6);
    free(l->send);
    free(l->receive);
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
