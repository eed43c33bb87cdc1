/* A program to compare skampi with: the loop that an engineer writes to find how long a call takes.
 *
 * bare_loop (OPERATION BYTES REPETITIONS)...
 * prints a line with the time in microseconds for each, after a tenth of the repetitions:
 * ping-pong: the mean of all, timed as a whole by rank 0;
 * one way, both ways: windows of messages from one buffer to one buffer, with an acknowledgement in
 * one direction, as in osu_bw and osu_bibw; the mean; put, get: windows of accesses and a flush, as
 * in osu_put_bw and osu_get_bw; the median of rank 0, which other load changes less. As in skampi,
 * the origin's side is in the window's memory, too, since the alignment counts; write, read: each
 * call at the next place of a common file, where the parts of all processes are side by side, as in
 * IMB-IO and IOR; the median of the slowest process. What is written extends the file, which is
 * emptied when it has PLACES_BYTES of a process. */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARGUMENTS = 3, PAGE_BYTES = 4096, WINDOW = 64, LONGEST = 1 << 20, TAG = 100, TAG_ACK };
enum { MOST_PLACES = 1024, PLACES_BYTES = 32 << 20 };

struct loop {
    int rank, size, len_bytes, places;
    char *send, *receive; /* owned */
    MPI_Request sends[WINDOW], receives[WINDOW];
    char *memory; /* of win: what is sent, and what arrives */
    MPI_Win win;
    MPI_File file;
};

static void send_to(const struct loop *l, int rank)
{
    MPI_Send(l->send, l->len_bytes, MPI_BYTE, rank, TAG, MPI_COMM_WORLD);
}

static void receive_from(const struct loop *l, int rank)
{
    MPI_Recv(l->receive, l->len_bytes, MPI_BYTE, rank, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void ping_pong(struct loop *l, int i)
{
    if (l->rank == 0)
        send_to(l, 1);
    if (l->rank <= 1)
        receive_from(l, 1 - l->rank);
    if (l->rank == 1)
        send_to(l, 0);
}

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

static void one_way(struct loop *l, int i)
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

static void both_ways(struct loop *l, int i)
{
    irecv(l);
    isend(l);
    MPI_Waitall(WINDOW, l->sends, MPI_STATUSES_IGNORE);
    MPI_Waitall(WINDOW, l->receives, MPI_STATUSES_IGNORE);
}

static void put(struct loop *l, int i)
{
    for (int k = 0; k < WINDOW && l->rank == 0; k++)
        MPI_Put(l->memory, l->len_bytes, MPI_CHAR, 1, LONGEST, l->len_bytes, MPI_CHAR, l->win);
    if (l->rank == 0)
        MPI_Win_flush(1, l->win);
}

static void get(struct loop *l, int i)
{
    for (int k = 0; k < WINDOW && l->rank == 0; k++)
        MPI_Get(l->memory + LONGEST, l->len_bytes, MPI_CHAR, 1, 0, l->len_bytes, MPI_CHAR, l->win);
    if (l->rank == 0)
        MPI_Win_flush(1, l->win);
}

static MPI_Offset place(const struct loop *l, int i)
{
    return ((MPI_Offset)(i % l->places) * l->size + l->rank) * l->len_bytes;
}

static void write_next(struct loop *l, int i)
{
    MPI_File_write_at(l->file, place(l, i), l->send, l->len_bytes, MPI_BYTE, MPI_STATUS_IGNORE);
}

static void read_next(struct loop *l, int i)
{
    MPI_File_read_at(l->file, place(l, i), l->send, l->len_bytes, MPI_BYTE, MPI_STATUS_IGNORE);
}

/* --- what a loop needs, and what comes before each call --- */

static void no_memory(struct loop *l)
{
}

static void take_window(struct loop *l)
{
    MPI_Win_allocate(2 * LONGEST, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &l->memory, &l->win);
    memset(l->memory, 1, 2 * LONGEST);
    MPI_Win_lock_all(0, l->win);
}

static void free_window(struct loop *l)
{
    MPI_Win_unlock_all(l->win);
    MPI_Win_free(&l->win);
}

/* Files are written before they are read. */
static void open_file(struct loop *l)
{
    l->places = PLACES_BYTES / l->len_bytes;
    l->places = l->places > MOST_PLACES ? MOST_PLACES : l->places;
    MPI_File_open(MPI_COMM_WORLD, "bare_loop.data",
                  MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &l->file);
    for (int i = 0; i < l->places; i++)
        write_next(l, i);
    MPI_File_sync(l->file);
}

static void close_file(struct loop *l)
{
    MPI_File_close(&l->file);
}

static void at_once(struct loop *l, int i)
{
}

static void together(struct loop *l, int i)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

static void together_in_file(struct loop *l, int i)
{
    if (i % l->places == 0)
        MPI_File_set_size(l->file, 0);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* --- values of n repetitions in seconds; that of rank 0 counts --- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const struct loop *l, double *s, int n)
{
    qsort(s, (size_t)n, sizeof(*s), by_value);
    return s[n / 2];
}

static double median_of_slowest(const struct loop *l, double *s, int n)
{
    MPI_Reduce(l->rank == 0 ? MPI_IN_PLACE : s, s, n, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    return median(l, s, n);
}

static const struct kind {
    void (*take)(struct loop *l), (*release)(struct loop *l);
    void (*before)(struct loop *l, int i);
    double (*value)(const struct loop *l, double *s, int n); /* NULL: timed as a whole */
} whole = { no_memory, no_memory, at_once, NULL },
  access = { take_window, free_window, at_once, median },
  writing = { open_file, close_file, together_in_file, median_of_slowest },
  reading = { open_file, close_file, together, median_of_slowest };

static const struct row {
    const char *name;
    void (*call)(struct loop *l, int i);
    const struct kind *kind;
} rows[] = {
    { "ping-pong", ping_pong, &whole },
    { "one way", one_way, &whole },
    { "both ways", both_ways, &whole },
    { "put", put, &access },
    { "get", get, &access },
    { "write", write_next, &writing },
    { "read", read_next, &reading },
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
static void *page_aligned(size_t len)
{
    size_t pages = len / PAGE_BYTES + 1;
    char *p = aligned_alloc(PAGE_BYTES, pages * PAGE_BYTES);
    if (p == NULL)
        exit(2);
    return memset(p, 1, pages * PAGE_BYTES);
}

static double whole_s(struct loop *l, const struct row *op, int n)
{
    MPI_Barrier(MPI_COMM_WORLD);
    double start_s = MPI_Wtime();
    for (int i = 0; i < n; i++)
        op->call(l, i);
    return (MPI_Wtime() - start_s) / n;
}

static double single_s(struct loop *l, const struct row *op, int n, double *s)
{
    for (int i = 0; i < n; i++) {
        op->kind->before(l, i);
        double start_s = MPI_Wtime();
        op->call(l, i);
        s[i] = MPI_Wtime() - start_s;
    }
    return op->kind->value(l, s, n);
}

static double time_s(struct loop *l, const struct row *op, int n, double *s)
{
    return op->kind->value == NULL ? whole_s(l, op, n) : single_s(l, op, n, s);
}

static void run(struct loop *l, const struct row *op, int n)
{
    double *s = page_aligned((size_t)n * sizeof(*s));
    l->send = page_aligned((size_t)l->len_bytes);
    l->receive = page_aligned((size_t)l->len_bytes);
    op->kind->take(l);
    time_s(l, op, n / 10, s);
    double took_s = time_s(l, op, n, s);
    MPI_Barrier(MPI_COMM_WORLD);
    if (l->rank == 0)
        printf("%.6f\n", took_s * 1e6);
    op->kind->release(l);
    free(l->send);
    free(l->receive);
    free(s);
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
