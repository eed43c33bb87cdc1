#include "clock/global_clock.h"

#include "clock/control.h"

/* Up to FEW hosts are compared in all pairs. More hosts are divided into groups: all pairs of a
 * group and of the groups' first hosts are compared. */
enum { FEW = 64, GROUP = 16, TAG = 55 };

/* The opponent in a round, among an even number; after number - 1 rounds, all have met. */
static int opponent(int own, int round, int number)
{
    int last = number - 1, left_over = round * (number / 2) % last;
    if (own == last || own == left_over)
        return own == last ? left_over : last;
    return (round + last - own) % last;
}

/* By how much the estimates of two leaders differ in a sighting, and half of its round trip. It may
 * have been delayed, but both are not further apart than the links between them allow. */
static double apart(const struct global_clock *g, int own, int other)
{
    struct line theirs;
    struct sighting seen = sighting_of(g->clock, other, own < other, 0.0, g->leaders);
    MPI_Sendrecv(&g->to_root, sizeof(theirs), MPI_BYTE, other, TAG, &theirs, sizeof(theirs),
                 MPI_BYTE, other, TAG, g->leaders, MPI_STATUS_IGNORE);
    double difference_s =
        line_map(&g->to_root, seen.at_s) - line_map(&theirs, seen.at_s + seen.offset_s);
    return fmin(fabs(difference_s) + seen.error_s, g->to_root.error_s + theirs.error_s);
}

/* The largest value of all pairs of this process among a number of leaders, every step-th one. */
static double widest(const struct global_clock *g, int first, int step, int number)
{
    int rank = rank_in(g->leaders), even = number + number % 2;
    double most_s = 0.0;
    for (int round = 0; round < even - 1; round++) {
        int other = opponent((rank - first) / step, round, even);
        if (other < number)
            most_s = fmax(most_s, apart(g, rank, first + other * step));
    }
    return most_s;
}

/* The largest difference within hosts: two processes may be off in opposite directions. */
static double within_hosts(const struct global_clock *g, MPI_Comm comm)
{
    struct ranked own = { g->host_error_s, rank_in(comm) }, largest;
    double others_s, second_s;
    MPI_Allreduce(&own, &largest, 1, MPI_DOUBLE_INT, MPI_MAXLOC, comm);
    others_s = own.rank == largest.rank ? 0.0 : own.value;
    MPI_Allreduce(&others_s, &second_s, 1, MPI_DOUBLE, MPI_MAX, comm);
    return largest.value + second_s;
}

double clock_bound(const struct global_clock *g, MPI_Comm comm)
{
    int leads = g->leaders != MPI_COMM_NULL, leaders;
    double own_s[2] = { 0.0 }, most_s[2]; /* between groups, within one */
    MPI_Allreduce(&leads, &leaders, 1, MPI_INT, MPI_SUM, comm);
    int size = leaders <= FEW ? FEW : GROUP;
    if (leads) {
        int rank = rank_in(g->leaders), first = rank - rank % size, left = leaders - first;
        own_s[0] = rank == first ? widest(g, 0, size, (leaders + size - 1) / size) : 0.0;
        own_s[1] = widest(g, first, 1, left < size ? left : size);
    }
    MPI_Allreduce(own_s, most_s, 2, MPI_DOUBLE, MPI_MAX, comm);
    return most_s[0] + (leaders > size ? 2.0 : 1.0) * most_s[1] + within_hosts(g, comm);
}
