/* One time for all processes: rank 0's clock. Each process knows a line from its own clock to it.
 *
 * The processes form two levels of binomial trees: one over the first processes of all hosts, and
 * one within each host. Every process has one parent, and learns a line to its parent's clock from
 * sightings. Pauses between the sightings make a drift visible. Lines are composed on the way down.
 * All pairs of a round work at the same time: O(log p) rounds. A process sees its parent's clock
 *   - by the clock of their host, if both read the same one;
 *   - otherwise by messages, whose fastest round trips bound the offset.
 * If the library says that MPI_Wtime is global, the line is zero until a sighting contradicts it.
 *
 * A parent has a lower rank than its children: the first processes can check their clocks alone. */
#pragma once

#include "clock/link.h"

#include <mpi.h>

/* The result of a check: maxima over the processes that took part. */
struct check {
    double found_s; /* by how much the estimates of two processes differ: the sum of the next two,
                       and what is uncertain in a sighting and in a reading */
    double ahead_s, behind_s; /* error of the estimate of rank 0's clock */
    double sure_s; /* the same, of processes whose error exceeds that of sightings; or 0 */
    double unfit;  /* 0: the latest sighting of each process confirmed its line */
    double vague;  /* 0: also, each line is known well */
    double bend;   /* how fast drifts relative to rank 0's clock changed recently, per second */
};

struct global_clock {
    const struct clock *clock; /* borrowed: this process's clock */
    MPI_Comm all;              /* borrowed */
    MPI_Comm leaders, host;    /* owned; of all hosts' first processes; of this host */
    bool claims_global;        /* the library says MPI_WTIME_IS_GLOBAL */
    struct link link;
    struct line to_root; /* from this process's clock to rank 0's */
    double host_error_s; /* the part of its error that is from links within the host */

    /* The result of the latest check, known to all processes that took part. */
    int checked;         /* number of processes in the latest check */
    struct check before; /* what its first sightings found */
    struct check after;  /* what its last sightings found, after corrections */
    double look_s;       /* duration of one sighting for each process */
    double bend; /* per second; explains the error that a check found; halved by each check */
    double learnt_at_s;  /* when lines were learnt or last relearnt */
    double checked_at_s; /* when a check last ended */

    /* For the output, on rank 0. */
    int links[LINK_KINDS], links_global; /* processes by the way they see their parent's clock */
    /* No two clocks are further apart, including what no sighting can see: by half of the round
     * trips of pairs (clock_bound). Maximum over all checks. */
    double bound_s;
    double residual_s; /* maximum error of the starts that were used */
    int refreshed;     /* lines relearnt since it was last set to 0 */
    double spent_s;    /* on synchronising and checking */
};

/* Functions that change the clock are collective over all, or over the first of all processes. */
void global_clock_init(struct global_clock *g, const struct clock *c, MPI_Comm all);
void global_clock_release(struct global_clock *g);

/* Learns all lines from scratch. Takes one sighting if all processes read their host's clock; a few
 * milliseconds if they can compare by it and none drifts; otherwise at most about 80 ms plus
 * O(log p) rounds of round trips. */
void global_clock_synchronise(struct global_clock *g);

/* Makes another sighting for each of the first processes and compares it with the process's
 * estimate. comm contains just these processes, in any order. O(log p) rounds. If a clock has
 * changed, its drift is learnt until a sighting of every process confirms its estimate, which takes
 * as long as synchronising. After a few attempts the clock remains wrong (after.unfit). */
void global_clock_check(struct global_clock *g, MPI_Comm comm, int processes);

/* How fast drifts relative to rank 0's clock changed recently, per second. If this continues,
 * clocks that are not checked for t seconds are off by bend * t^2. */
double global_clock_bend(const struct global_clock *g);

/* The time until the next check, in seconds: until clocks that bend as they did recently are off by
 * allowed_s. Short at first, when the drift is known from a short time only. */
double global_clock_alone(const struct global_clock *g, double allowed_s);

/* Was the latest check longer ago than that, or did it omit one of the first processes? */
bool global_clock_is_due(const struct global_clock *g, int processes, double allowed_s);

double global_clock_to_local(const struct global_clock *g, double global_s);
double global_clock_to_global(const struct global_clock *g, double local_s);

/* The global clock is built on this comparison of the clocks of two processes by messages. Both
 * processes of a pair call it at the same time, one of them with asks_first. Returns the other
 * process's clock minus this process's. The error is half a round trip. Delays equal in both
 * directions cancel out, and so does the difference in cost of asking and answering. A round
 * trip as fast as that of known_s, half of the fastest one before, is enough; 0: unknown. */
struct sighting sighting_of(const struct clock *c, int other, bool asks_first, double known_s,
                            MPI_Comm comm);

/* No two of the first processes, which comm contains, are further apart than this now, as far as
 * round trips between their hosts show: one direction of the network may be slower. Collective. */
double clock_bound(const struct global_clock *g, MPI_Comm comm);

enum { START_SKEW_STARTS = 21 };

/* The time between the first and the last process to start, by each process's estimate of the
 * global time. The clock's residual bounds the error of these estimates. */
struct start_skew {
    double median_us, p25_us, p75_us; /* over START_SKEW_STARTS starts */
};
