/* Streams as OSU's osu_bw and osu_bibw define them: WINDOW messages from one buffer, received in
 * one buffer, and in one direction an acknowledgement. As osu_put_bw and osu_get_bw define them:
 * WINDOW accesses and a flush, in memory of MPI_Win_allocate.
 *
 * bare_stream (one|both|put|get BYTES WINDOWS)...
 * prints a line with the mean time in microseconds of a window for each. Rank 0 times all windows
 * as a whole, after a tenth of them. */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 64, LONGEST = 1 << 20, PAGE_BYTES = 4096, ARGUMENTS = 3, TAG = 100, TAG_ACK = 101 };

struct loop {
    int rank, len_bytes;
    char *send, *receive; /* owned */
    MPI_Request sends[WINDOW], receives[WINDOW];
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
        MPI_Put(l->send, l->len_bytes, MPI_CHAR, 1, 0, l->len_bytes, MPI_CHAR, l->win);
    if (l->rank == 0)
        MPI_Win_flush(1, l->win);
}

static void get(struct loop *l)
{
    for (int i = 0; i < WINDOW && l->rank == 0; i++)
        MPI_Get(l->receive, l->len_bytes, MPI_CHAR, 1, 0, l->len_bytes, MPI_CHAR, l->win);
    if (l->rank == 0)
        MPI_Win_flush(1, l->win);
}

static const struct kind {
    const char *name;
    void (*window)(struct loop *l);
} kinds[] = { { "one", one }, { "both", both }, { "put", put }, { "get", get } };

static double windows_s(struct loop *l, void (*window)(struct loop *), int n)
{
    MPI_Barrier(MPI_COMM_WORLD);
    double start_s = MPI_Wtime();
    for (int i = 0; i < n; i++)
        window(l);
    return MPI_Wtime() - start_s;
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

static void run(struct loop *l, void (*window)(struct loop *), int n)
{
    l->send = page_aligned((size_t)l->len_bytes);
    l->receive = page_aligned((size_t)l->len_bytes);
    windows_s(l, window, n / 10);
    double time_s = windows_s(l, window, n);
    if (l->rank == 0)
        printf("%.6f\n", time_s / n * 1e6);
    free(l->send);
    free(l->receive);
}

int main(int argc, char **argv)
{
    struct loop l = { 0 };
    char *memory;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &l.rank);
    MPI_Win_allocate(LONGEST, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &l.win);
    memset(memory, 1, LONGEST);
    MPI_Win_lock_all(0, l.win);
    for (int i = 1; i + ARGUMENTS <= argc; i += ARGUMENTS) {
        l.len_bytes = atoi(argv[i + 1]);
        for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++)
            if (strcmp(argv[i], kinds[k].name) == 0)
                run(&l, kinds[k].window, atoi(argv[i + 2]));
    }
    MPI_Win_unlock_all(l.win);
    MPI_Win_free(&l.win);
    MPI_Finalize();
    return 0;
}
