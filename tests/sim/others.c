/* The numbers of OSU and IMB on a simulated machine, by loops of their definitions, without code
 * from src: the average over the processes of calls that follow a barrier, or each other; half of a
 * round trip; windows of messages. others LENGTH... prints lines "PROGRAM LENGTH MEAN SHORTEST
 * LONGEST SPREAD", in microseconds; windows as their time. SPREAD is how much later than the first
 * process the last one begins. others PROGRAM LENGTH... prints "barrier" lines of this collective
 * alone, and "start" lines, where all processes begin at one instant of the simulated time. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SKIPPED = 200, COUNTED = 8, WINDOW = 64, TAG = 1, ACK = 2 };

static int rank, size, length;
static char *sent, *received;
static int *lengths, *places;
static MPI_Datatype *bytes;
static MPI_Request requests[2 * WINDOW], persistent[2];
static MPI_Win win;

#define WORLD MPI_COMM_WORLD
#define DEFINE(name, call)                                                                         \
    static void name(void)                                                                         \
    {                                                                                              \
        call;                                                                                      \
    }
#define MESSAGE sent, length, MPI_BYTE
#define RESULT  received, length, MPI_BYTE
#define SUM     sent, received, length, MPI_SIGNED_CHAR, MPI_SUM

DEFINE(barrier, MPI_Barrier(WORLD))

/* Collectives that OSU times after a barrier. */
#define COLLECTIVES(X)                                                                             \
    X(bcast, MPI_Bcast(MESSAGE, 0, WORLD))                                                         \
    X(gather, MPI_Gather(MESSAGE, RESULT, 0, WORLD))                                               \
    X(gatherv, MPI_Gatherv(MESSAGE, received, lengths, places, MPI_BYTE, 0, WORLD))                \
    X(scatter, MPI_Scatter(MESSAGE, RESULT, 0, WORLD))                                             \
    X(scatterv, MPI_Scatterv(sent, lengths, places, MPI_BYTE, RESULT, 0, WORLD))                   \
    X(allgather, MPI_Allgather(MESSAGE, RESULT, WORLD))                                            \
    X(allgatherv, MPI_Allgatherv(MESSAGE, received, lengths, places, MPI_BYTE, WORLD))             \
    X(alltoall, MPI_Alltoall(MESSAGE, RESULT, WORLD))                                              \
    X(alltoallv,                                                                                   \
      MPI_Alltoallv(sent, lengths, places, MPI_BYTE, received, lengths, places, MPI_BYTE, WORLD))  \
    X(alltoallw,                                                                                   \
      MPI_Alltoallw(sent, lengths, places, bytes, received, lengths, places, bytes, WORLD))        \
    X(reduce, MPI_Reduce(SUM, 0, WORLD))                                                           \
    X(allreduce, MPI_Allreduce(SUM, WORLD))                                                        \
    X(reduce_scatter,                                                                              \
      MPI_Reduce_scatter(sent, received, lengths, MPI_SIGNED_CHAR, MPI_SUM, WORLD))                \
    X(reduce_scatter_block, MPI_Reduce_scatter_block(SUM, WORLD))
COLLECTIVES(DEFINE)

#define NEXT     (rank + 1) % size
#define PREVIOUS (rank + size - 1) % size
DEFINE(chain, MPI_Sendrecv(MESSAGE, NEXT, TAG, RESULT, PREVIOUS, TAG, WORLD, MPI_STATUS_IGNORE))

static void exchange(void)
{
    MPI_Isend(MESSAGE, NEXT, TAG, WORLD, &requests[0]);
    MPI_Isend(MESSAGE, PREVIOUS, TAG, WORLD, &requests[1]);
    MPI_Recv(RESULT, PREVIOUS, TAG, WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(RESULT, NEXT, TAG, WORLD, MPI_STATUS_IGNORE);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static int is_first(void)
{
    return rank < size / 2;
}

static int partner(void)
{
    return is_first() ? rank + size / 2 : rank - size / 2;
}

static void ping_pong(void)
{
    if (is_first())
        MPI_Send(MESSAGE, partner(), TAG, WORLD);
    MPI_Recv(RESULT, partner(), TAG, WORLD, MPI_STATUS_IGNORE);
    if (!is_first())
        MPI_Send(MESSAGE, partner(), TAG, WORLD);
}

static void complete(int i)
{
    MPI_Start(&persistent[i]);
    MPI_Wait(&persistent[i], MPI_STATUS_IGNORE);
}

static void persistent_ping_pong(void)
{
    MPI_Send_init(MESSAGE, partner(), TAG, WORLD, &persistent[0]);
    MPI_Recv_init(RESULT, partner(), TAG, WORLD, &persistent[1]);
    complete(is_first() ? 0 : 1);
    complete(is_first() ? 1 : 0);
    MPI_Request_free(&persistent[0]);
    MPI_Request_free(&persistent[1]);
}

static void ping_ping(void)
{
    MPI_Isend(MESSAGE, partner(), TAG, WORLD, requests);
    MPI_Recv(RESULT, partner(), TAG, WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(requests, MPI_STATUS_IGNORE);
}

/* A window in one direction or in both; in one, it is acknowledged. */
static void windows(int sends, int receives)
{
    int n = 0;
    for (int i = 0; receives && i < WINDOW; i++)
        MPI_Irecv(RESULT, partner(), TAG, WORLD, &requests[n++]);
    for (int i = 0; sends && i < WINDOW; i++)
        MPI_Isend(MESSAGE, partner(), TAG, WORLD, &requests[n++]);
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
    if (sends && !receives)
        MPI_Recv(received, 1, MPI_BYTE, partner(), ACK, WORLD, MPI_STATUS_IGNORE);
    if (receives && !sends)
        MPI_Send(sent, 1, MPI_BYTE, partner(), ACK, WORLD);
}

DEFINE(stream, windows(is_first(), !is_first()))
DEFINE(both, windows(1, 1))

/* Accesses of rank 0, which end with a flush. */
#define TARGET(i) 1, (i)*length, length, MPI_SIGNED_CHAR
#define ACCESS(name, accesses, call)                                                               \
    static void name(void)                                                                         \
    {                                                                                              \
        if (rank != 0)                                                                             \
            return;                                                                                \
        for (int i = 0; i < accesses; i++)                                                         \
            call;                                                                                  \
        MPI_Win_flush(1, win);                                                                     \
    }
#define OF_RANK_0(i) sent + (i)*length, length, MPI_SIGNED_CHAR, TARGET(i)

ACCESS(put, 1, MPI_Put(OF_RANK_0(0), win))
ACCESS(get, 1, MPI_Get(OF_RANK_0(0), win))
ACCESS(put_bw, WINDOW, MPI_Put(OF_RANK_0(i), win))
ACCESS(get_bw, WINDOW, MPI_Get(OF_RANK_0(i), win))
ACCESS(acc, 1, MPI_Accumulate(OF_RANK_0(0), MPI_SUM, win))
ACCESS(get_acc, 1,
       MPI_Get_accumulate(sent, length, MPI_SIGNED_CHAR, received, length, MPI_SIGNED_CHAR,
                          TARGET(0), MPI_SUM, win))
ACCESS(fop, 1, MPI_Fetch_and_op(sent, received, MPI_SIGNED_CHAR, 1, 0, MPI_SUM, win))

/* When this process began the last call. */
static double began_s;

/* Prints a line; half of the processes, or rank 0 alone, may be timed. */
static void print(const char *program, double us, double share, int timed)
{
    double own[] = { timed ? us : 0.0, timed ? us : 1e9, timed ? us : 0.0, began_s, began_s };
    static const MPI_Op ops[] = { MPI_SUM, MPI_MIN, MPI_MAX, MPI_MIN, MPI_MAX };
    double all[5];
    for (int i = 0; i < 5; i++)
        MPI_Reduce(&own[i], &all[i], 1, MPI_DOUBLE, ops[i], 0, WORLD);
    if (rank == 0)
        printf("%s %d %.6f %.6f %.6f %.6f\n", program, length, all[0] / share, all[1], all[2],
               (all[4] - all[3]) * 1e6);
}

/* The next common instant: a process sleeps until then, which is exact in simulated time. */
static double together_s;

static void together(void)
{
    together_s += 0.1;
    nanosleep(&(struct timespec){ .tv_nsec = (long)((together_s - MPI_Wtime()) * 1e9 + 0.5) },
              NULL);
}

/* The mean time of a call on this process, in microseconds; something may precede each call. */
static double mean_us(void (*call)(void), void (*before)(void))
{
    double sum = 0.0, now_s = MPI_Wtime();
    if (before == together)
        MPI_Allreduce(&now_s, &together_s, 1, MPI_DOUBLE, MPI_MAX, WORLD);
    for (int i = before == together ? -1 : -SKIPPED; i < COUNTED; i++) {
        if (before != NULL)
            before();
        began_s = MPI_Wtime();
        call();
        double took = MPI_Wtime() - began_s;
        sum += i < 0 ? 0.0 : took;
    }
    MPI_Barrier(WORLD);
    return sum / COUNTED * 1e6;
}

#define OSU(name, call) { "osu_" #name, name, AFTER_BARRIER, 0 },

static const struct {
    const char *program;
    void (*call)(void);
    enum { AFTER_BARRIER, IN_A_ROW, PAIRS, RANK_0 } how;
    int half;
} programs[] = { { "osu_barrier", barrier, IN_A_ROW, 0 },
                 { "Sendrecv", chain, IN_A_ROW, 0 },
                 { "Exchange", exchange, IN_A_ROW, 0 },
                 { "osu_multi_lat", ping_pong, PAIRS, 1 },
                 { "osu_mbw_mr", stream, PAIRS, 0 },
                 { "osu_latency", ping_pong, RANK_0, 1 },
                 { "osu_latency_persistent", persistent_ping_pong, RANK_0, 1 },
                 { "PingPing", ping_ping, RANK_0, 0 },
                 { "osu_bw", stream, RANK_0, 0 },
                 { "osu_bibw", both, RANK_0, 0 },
                 { "osu_put_latency", put, RANK_0, 0 },
                 { "osu_get_latency", get, RANK_0, 0 },
                 { "osu_acc_latency", acc, RANK_0, 0 },
                 { "osu_get_acc_latency", get_acc, RANK_0, 0 },
                 { "osu_fop_latency", fop, RANK_0, 0 },
                 { "osu_put_bw", put_bw, RANK_0, 0 },
                 { "osu_get_bw", get_bw, RANK_0, 0 },
                 COLLECTIVES(OSU) };

static void report(size_t i)
{
    int of_rank_0 = programs[i].how == RANK_0, pairs = programs[i].how == PAIRS;
    if (of_rank_0 && size > 2)
        return;
    double us =
        mean_us(programs[i].call, pairs || programs[i].how == AFTER_BARRIER ? barrier : NULL);
    double share = of_rank_0 ? 1 : pairs ? size / 2 : size;
    print(programs[i].program, programs[i].half ? us / 2.0 : us, share,
          of_rank_0 ? rank == 0 : !pairs || is_first());
}

/* A collective after barriers, and with a simultaneous start. */
static void report_both(const char *program)
{
    for (size_t i = 0; i < sizeof(programs) / sizeof(*programs); i++) {
        if (strcmp(programs[i].program, program) != 0)
            continue;
        print("barrier", mean_us(programs[i].call, barrier), size, 1);
        print("start", mean_us(programs[i].call, together), size, 1);
    }
}

static void set_lengths(void)
{
    for (int i = 0; i < size; i++) {
        lengths[i] = length;
        places[i] = i * length;
        bytes[i] = MPI_BYTE;
    }
}

int main(int argc, char **argv)
{
    enum { LONGEST = 1 << 20 };
    char *memory;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &size);
    const char *program = argc > 1 && atoi(argv[1]) == 0 ? argv[1] : NULL;
    size_t room = (size_t)(program == NULL ? WINDOW * LONGEST : size * atoi(argv[argc - 1]));
    sent = calloc(room, 1);
    received = calloc(room, 1);
    lengths = calloc((size_t)size, sizeof(*lengths));
    places = calloc((size_t)size, sizeof(*places));
    bytes = calloc((size_t)size, sizeof(*bytes));
    for (int a = 2; program != NULL && a < argc; a++) {
        length = atoi(argv[a]);
        report_both(program);
    }
    if (program != NULL)
        return MPI_Finalize();
    MPI_Win_allocate(WINDOW * LONGEST, 1, MPI_INFO_NULL, WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    for (int a = 1; a < argc; a++) {
        length = atoi(argv[a]);
        set_lengths();
        for (size_t i = 0; i < sizeof(programs) / sizeof(*programs); i++)
            report(i);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
