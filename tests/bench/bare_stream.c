/* Streams as OSU's osu_bw and osu_bibw define them: WINDOW messages from one buffer, received in
 * one buffer, and in one direction an acknowledgement. As osu_put_bw and osu_get_bw define them:
 * WINDOW accesses and a flush, in memory of MPI_Win_allocate; as in skampi, the origin's side is
 * there, too, since the alignment counts.
 *
 * bare_stream (one|both|put|get BYTES WINDOWS)...
 * prints a line with the time in microseconds of a window for each. Rank 0 times all windows as a
 * whole, after a tenth of them: the mean. Windows of accesses, which need only rank 0, are timed
 * one by one: the median, which other load changes less. */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 64, LONGEST = 1 << 20, PAGE_BYTES = 4096, ARGUMENTS = 3, TAG = 100, TAG_ACK = 101 };

struct loop {
    int rank, len_bytes;
    char *send, *receive; /* owned */
    MPI_Request sends[WINDOW], receives[WINDOW];
    char *memory; /* of win: what is sent, and what arrives */
    MPI_Win win;
};

static void irecv(struct loop *l)
{
    for (int i = 0; i < WINDOW; i++)
        MPI_Irecv(l->receive, l->len_bytes, MPI_CHAR, 1 - l->rank, TAG, MPI_COMM_WORLD,
                  &l->receives[i]);
}

static void isend(struct loop *l)
{
    for (int i = 0; i < WINDOW; i++)
        MPI_Isend(l->send, l->len_bytes, MPI_CHAR, 1 - l->rank, TAG, MPI_COMM_WORLD, &l->sends[i]);
}

static void one(struct loop *l)
{
    char ack = 0;
    if (l->rank == 0) {
        isend(l);
        MPI_Waitall(WINDOW, l->sends, MPI_STATUSES_IGNORE);
        MPI_Recv(&ack, 1, MPI_CHAR, 1, TAG_ACK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        irecv(l);
        MPI_Waitall(WINDOW, l->receives, MPI_STATUSES_IGNORE);
        MPI_Send(&ack, 1, MPI_CHAR, 0, TAG_ACK, MPI_COMM_WORLD);
    }
}

static void both(struct loop *l)
{
    irecv(l);
    isend(l);
    MPI_Waitall(WINDOW, l->sends, MPI_STATUSES_IGNORE);
    MPI_Waitall(WINDOW, l->receives, MPI_STATUSES_IGNORE);
}

static void put(struct loop *l)
{
    for (int i = 0; i < WINDOW && l->rank == 0; i++)
        MPI_Put(l->memory, l->len_bytes, MPI_CHAR, 1, LONGEST, l->len_bytes, MPI_CHAR, l->win);
    if (l->rank == 0)
        MPI_Win_flush(1, l->win);
}

static void get(struct loop *l)
{
    for (int i = 0; i < WINDOW && l->rank == 0; i++)
        MPI_Get(l->memory + LONGEST, l->len_bytes, MPI_CHAR, 1, 0, l->len_bytes, MPI_CHAR, l->win);
    if (l->rank == 0)
        MPI_Win_flush(1, l->win);
}

static const struct kind {
    const char *name;
    void (*window)(struct loop *l);
    int one_by_one;
} kinds[] = { { "one", one, 0 }, { "both", both, 0 }, { "put", put, 1 }, { "get", get, 1 } };

static double windows_s(struct loop *l, void (*window)(struct loop *), int n)
{
    MPI_Barrier(MPI_COMM_WORLD);
    double start_s = MPI_Wtime();
    for (int i = 0; i < n; i++)
        window(l);
    return MPI_Wtime() - start_s;
}

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Rank 1 waits at the next barrier. */
static double median_s(struct loop *l, void (*window)(struct loop *), int n)
{
    double *s = malloc((size_t)n * sizeof(*s));
    if (s == NULL)
        exit(2);
    for (int i = 0; i < n; i++) {
        double start_s = MPI_Wtime();
        window(l);
        s[i] = MPI_Wtime() - start_s;
    }
    qsort(s, (size_t)n, sizeof(*s), compare);
    double median = s[n / 2];
    free(s);
    return median;
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

static void run(struct loop *l, const struct kind *kind, int n)
{
    l->send = page_aligned((size_t)l->len_bytes);
    l->receive = page_aligned((size_t)l->len_bytes);
    windows_s(l, kind->window, n / 10);
    double time_s =
        kind->one_by_one ? median_s(l, kind->window, n) : windows_s(l, kind->window, n) / n;
    MPI_Barrier(MPI_COMM_WORLD);
    if (l->rank == 0)
        printf("%.6f\n", time_s * 1e6);
    free(l->send);
    free(l->receive);
}

int main(int argc, char **argv)
{
    struct loop l = { 0 };
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &l.rank);
    MPI_Win_allocate(2 * LONGEST, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &l.memory, &l.win);
    memset(l.memory, 1, 2 * LONGEST);
    MPI_Win_lock_all(0, l.win);
    for (int i = 1; i + ARGUMENTS <= argc; i += ARGUMENTS) {
        l.len_bytes = atoi(argv[i + 1]);
        for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++)
            if (strcmp(argv[i], kinds[k].name) == 0)
                run(&l, &kinds[k], atoi(argv[i + 2]));
    }
    MPI_Win_unlock_all(l.win);
    MPI_Win_free(&l.win);
    MPI_Finalize();
    return 0;
}
