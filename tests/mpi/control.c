/* Every call of context/control.h while one process comes late: the results, and how long the
 * others use a CPU while they nap. And when processes nap: beside other programs, as long as those
 * go on. TAP on rank 0. */
#include "context/control.h"
#include "context/contention.h"
#include "patterns/pattern.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

static const double LATE_S = 0.1;

static int rank, size;

static double cpu_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int receive(const struct clock *c)
{
    int sent = 17, got = rank == 1 ? 0 : sent;
    if (rank == 0)
        MPI_Send(&sent, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
    if (rank == 1)
        control_receive(c, &got, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
    return got == sent;
}

static int swap(const struct clock *c)
{
    int theirs = 1 - rank;
    if (rank < 2)
        control_swap(c, &rank, &theirs, sizeof(rank), 1 - rank, MPI_COMM_WORLD);
    return theirs == 1 - rank;
}

static int barrier(const struct clock *c)
{
    control_barrier(c, MPI_COMM_WORLD);
    return 1;
}

static int bcast(const struct clock *c)
{
    int values[2] = { rank + 4, rank + 5 };
    control_bcast(c, values, 2, MPI_INT, MPI_COMM_WORLD);
    return values[0] == 4 && values[1] == 5;
}

static int reduce(const struct clock *c)
{
    int sum = rank + 1;
    control_reduce(c, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return sum == (rank == 0 ? size * (size + 1) / 2 : rank + 1);
}

static int allreduce(const struct clock *c)
{
    int most = rank;
    control_allreduce(c, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return most == size - 1;
}

static int agree(const struct clock *c)
{
    struct err e = { "" };
    int rc = rank == 1 ? err_set(&e, "of rank 1") : 0;
    return control_agree(c, MPI_COMM_WORLD, 0, &e) == 0 &&
           control_agree(c, MPI_COMM_WORLD, rc, &e) == -1 && e.text[0] == 'o';
}

/* A turn of a suite after one that was contended on one process, if any; returns on rank 0 whether
 * naps go on. */
static bool goes_on_after_turn(const struct clock *c, double waited_s)
{
    const struct hosts hosts = { .processes = size };
    static struct contention contention;
    struct cpu_use used = { .ran_s = 1.0, .waited_s = 1.0 };
    contention = (struct contention){ .hosts = &hosts, .goes_on = true };
    contention_begin_turn(&contention, &used);
    const struct cpu_use turn = { .ran_s = 0.1, .waited_s = rank == size - 1 ? waited_s : 0.0 };
    cpu_use_add(&contention.suite, &turn);
    contention.host_then = (struct cpu_use){ .steal_s = INFINITY }; /* no steal */
    contention_end_turn(&contention, c, MPI_COMM_WORLD, &used);
    return contention.goes_on;
}

static int turns(const struct clock *c)
{
    bool calm = goes_on_after_turn(c, 0.0), busy = goes_on_after_turn(c, 0.1);
    return rank != 0 || (!calm && busy);
}

/* Do all agree on the process that has the longest time, if none has one? */
static int extreme(const struct clock *c)
{
    struct resources res = { .clock = *c };
    struct measurement m = { .resources = &res, .control = MPI_COMM_WORLD, .all.rank = rank };
    struct extra_value found;
    int here =
        extreme_send_home(&m, NAN, MPI_MAXLOC, (struct extra_value){ NAN, NAN }, 0.0, &found);
    int there = here;
    MPI_Bcast(&there, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return here == there;
}

static const struct {
    const char *name;
    int (*call)(const struct clock *);
    int late; /* this process; -1: the last one */
} calls[] = { { "receive", receive, 0 }, { "swap", swap, 0 },      { "barrier", barrier, 0 },
              { "bcast", bcast, 0 },     { "reduce", reduce, -1 }, { "allreduce", allreduce, 0 },
              { "agree", agree, 0 },     { "turns", turns, 0 },    { "extreme", extreme, 0 } };

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 2 * (int)(sizeof(calls) / sizeof(*calls)); i++) {
        const struct clock c = { .now = MPI_Wtime, .naps = i % 2 == 1 };
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == (calls[i / 2].late + size) % size)
            clock_sleep(LATE_S);
        double before_s = cpu_s();
        int ok = calls[i / 2].call(&c);
        ok = ok && (!c.naps || cpu_s() - before_s < LATE_S / 3);
        MPI_Allreduce(MPI_IN_PLACE, &ok, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
        if (rank == 0)
            printf("%sok %d - %s%s\n", ok ? "" : "not ", i + 1, calls[i / 2].name,
                   c.naps ? ", with naps" : "");
    }
    MPI_Finalize();
    return 0;
}
