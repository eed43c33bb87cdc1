/* The exact simulated time of a ring and of an exchange between neighbours among the 16 processes
 * of torus4x4.xml, from a common start until the last process is done. Like truth.c, it uses
 * nothing from src. The simulator's own clock is the same for all and takes no time to read.
 *
 * torus LENGTH
 * prints lines "WHAT MICROSECONDS": ring-1 and ring-5 (each process sends to rank + 1 or + 5),
 * between and inside (all at once to the next group, to the next process in the own one). */
#include <mpi.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <stdio.h>
#include <stdlib.h>

enum { TAG = 7, SIZE = 16, ROW = 4 };

static const double PAUSE_S = 0.1; /* longer than any operation that may still be in progress */

struct me {
    int rank;
    int length;
    char *message;
};

static double now(void)
{
    return simgrid_get_clock();
}

static void ring(const struct me *m, int distance)
{
    int to = (m->rank + distance) % SIZE, from = (m->rank + SIZE - distance) % SIZE;
    if (m->rank == 0)
        MPI_Send(m->message, m->length, MPI_BYTE, to, TAG, MPI_COMM_WORLD);
    MPI_Recv(m->message, m->length, MPI_BYTE, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (m->rank != 0)
        MPI_Send(m->message, m->length, MPI_BYTE, to, TAG, MPI_COMM_WORLD);
}

#define ACTION(name, ...)                                                                          \
    static void name(const struct me *m)                                                           \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }
ACTION(ring_1, ring(m, 1))
ACTION(ring_5, ring(m, 5))

static void exchange(const struct me *m, int to, int from)
{
    MPI_Sendrecv_replace(m->message, m->length, MPI_BYTE, to, TAG, from, TAG, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
}

ACTION(between, exchange(m, (m->rank + ROW) % SIZE, (m->rank + SIZE - ROW) % SIZE))

static void inside(const struct me *m)
{
    int first = m->rank / ROW * ROW;
    exchange(m, first + (m->rank + 1) % ROW, first + (m->rank + ROW - 1) % ROW);
}

static void report(const struct me *m, const char *what, void (*act)(const struct me *))
{
    double own = now(), longest, start;
    MPI_Allreduce(&own, &start, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    start += PAUSE_S;
    sg_actor_sleep_for(start - now());
    act(m);
    own = now() - start;
    sg_actor_sleep_for(start + PAUSE_S - now());
    MPI_Allreduce(&own, &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (m->rank == 0)
        printf("%s %.6f\n", what, longest * 1e6);
}

int main(int argc, char **argv)
{
    struct me m;
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &m.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc != 2 || size != SIZE) {
        fputs("usage: torus LENGTH, with 16 processes\n", stderr);
        return 2;
    }
    m.length = atoi(argv[1]);
    m.message = calloc(1, (size_t)m.length + 1);
    report(&m, "ring-1", ring_1);
    report(&m, "ring-5", ring_5);
    report(&m, "between", between);
    report(&m, "inside", inside);
    free(m.message);
    MPI_Finalize();
    return 0;
}
