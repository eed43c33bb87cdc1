#include "context/control.h"
#include "context/global_clock.h"
#include "model/matching.h"

enum { ROUND_TRIPS = 20, ALIKE = 6, TAG = 53 };

static const double GOLDEN = 0.6180339887498949; /* its multiples are spread evenly */

/* The duration of a reading, from the instant that it shows. */
static double lasts_s(const struct clock *c)
{
    return c->readings > 1 ? (c->readings - 1) * c->cost_s : 0.0;
}

/* A round trip includes one reading of the other process, which shows the middle of it. */
static struct sighting round_trip(const struct clock *c, int other, MPI_Comm comm)
{
    double there, sent = clock_read(c) + lasts_s(c);
    MPI_Send(&sent, 1, MPI_DOUBLE, other, TAG, comm);
    MPI_Recv(&there, 1, MPI_DOUBLE, other, TAG, comm, MPI_STATUS_IGNORE);
    double half = (clock_read(c) - sent) / 2.0;
    return (struct sighting){ sent + half, there - (sent + half), half };
}

/* Pairs in lockstep would delay each other in the same order every time. A clock with a coarse tick
 * is read at a different part of the tick each time, so that the mean of the readings is finer than
 * a tick. Waiting by that clock would always end at a tick's start; this waits by readings. */
static void stagger(const struct clock *c, int other, int i)
{
    double ticks = i * GOLDEN;
    int readings = (int)((ticks - (int)ticks) * clock_grain(c) / c->cost_s);
    for (int k = 0; k < readings; k++)
        c->now();
    if (readings == 0)
        clock_wait_until(c, c->now() + (double)((i * 37 + other * 11) % 41) * 0.25e-6);
}

/* Do the fastest round trips take the same time, to within a tick, or does one take as long as the
 * fastest known one? Then a faster one is unlikely. A clock with a coarse tick cannot show this. */
static bool is_enough(const struct clock *c, const struct sighting *seen, int n, double known_s)
{
    double fastest = INFINITY;
    int alike = 0;
    for (int i = 0; i < n; i++)
        fastest = fmin(fastest, seen[i].error_s);
    for (int i = 0; i < n; i++)
        alike += seen[i].error_s <= fastest + c->tick_s / 2.0;
    bool as_known = fastest <= known_s + c->tick_s / 2.0;
    return n == ROUND_TRIPS || ((alike >= ALIKE || as_known) && clock_grain(c) <= 0.0);
}

static void answer(const struct clock *c, int other, MPI_Comm comm)
{
    double reading_s = lasts_s(c);
    for (;;) {
        double sent;
        MPI_Recv(&sent, 1, MPI_DOUBLE, other, TAG, comm, MPI_STATUS_IGNORE);
        double now = clock_read(c) + reading_s / 2.0;
        if (isnan(sent))
            return;
        MPI_Send(&now, 1, MPI_DOUBLE, other, TAG, comm);
    }
}

struct sighting sighting_of(const struct clock *c, int other, bool asks_first, double known_s,
                            MPI_Comm comm)
{
    struct sighting own, theirs;
    if (!asks_first)
        answer(c, other, comm);
    struct sighting seen[ROUND_TRIPS];
    const double enough = NAN;
    int n = 0;
    while (!is_enough(c, seen, n, known_s)) {
        stagger(c, other, n);
        seen[n++] = round_trip(c, other, comm);
    }
    MPI_Send(&enough, 1, MPI_DOUBLE, other, TAG, comm);
    own = sighting_best(seen, n, clock_grain(c));
    own.error_s += clock_grain(c);
    if (asks_first)
        answer(c, other, comm);
    MPI_Sendrecv(&own, 3, MPI_DOUBLE, other, TAG, &theirs, 3, MPI_DOUBLE, other, TAG, comm,
                 MPI_STATUS_IGNORE);
    theirs.at_s += theirs.offset_s; /* what the other process saw, as this one sees it */
    theirs.offset_s = -theirs.offset_s;
    return (struct sighting){ (own.at_s + theirs.at_s) / 2.0,
                              (own.offset_s + theirs.offset_s) / 2.0,
                              (own.error_s + theirs.error_s) / 2.0 };
}

/* Up to FEW hosts are compared in all pairs. More hosts are divided into groups: all pairs of a
 * group and of the groups' first hosts are compared. */
enum { FEW = 64, GROUP = 16, TAG_LINE = 55 };

/* By how much the estimates of two leaders differ in a sighting, and half of its round trip. It may
 * have been delayed, but both are not further apart than the links between them allow. */
static double apart(const struct global_clock *g, int own, int other)
{
    struct line theirs;
    struct sighting seen = sighting_of(g->clock, other, own < other, 0.0, g->leaders);
    MPI_Sendrecv(&g->to_root, sizeof(theirs), MPI_BYTE, other, TAG_LINE, &theirs, sizeof(theirs),
                 MPI_BYTE, other, TAG_LINE, g->leaders, MPI_STATUS_IGNORE);
    double difference_s =
        line_map(&g->to_root, seen.at_s) - line_map(&theirs, seen.at_s + seen.offset_s);
    return fmin(fabs(difference_s) + seen.error_s, g->to_root.error_s + theirs.error_s);
}

/* The largest value of all pairs of this process among a number of leaders, every step-th one. */
static double widest(const struct global_clock *g, int first, int step, int number)
{
    int rank = rank_in(g->leaders), rounds = number - 1 + number % 2;
    double most_s = 0.0;
    for (int round = 0; round < rounds; round++) {
        int other = matching_round(number, round, (rank - first) / step);
        if (other != MATCHING_NONE)
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
