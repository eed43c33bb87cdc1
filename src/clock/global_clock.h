/* One time for all processes: rank 0's clock. Each process knows a line from its own clock to it.
 *
 * The processes form two levels of binomial trees: one over the hosts' first processes, and one in
 * each host. Every process has one parent, and learns a line to its parent's clock from sightings,
 * each a moment apart so that a drift shows; lines are composed on the way down. All pairs of a
 * round work at the same time: O(log p) rounds. How a process sees its parent's clock:
 *   - by the clock of their host, where both turn out to read the same one;
 *   - else by messages, whose fastest round trips bound the offset.
 * Where the library says that MPI_Wtime is global, that is taken as the line while no sighting
 * contradicts it.
 *
 * A parent is always an earlier process, so the first processes can check their clocks alone. */
#ifndef SKAMPI_CLOCK_GLOBAL_CLOCK_H
#define SKAMPI_CLOCK_GLOBAL_CLOCK_H

#include "clock/clock.h"
#include "clock/link.h"

#include <mpi.h>
#include <stdbool.h>

/* What a check found, at most over the processes that took part. */
struct check {
    double found_s; /* by how much the idea of rank 0's clock was off */
    double sure_s;  /* the same, of processes that were farther off than sightings may be; or 0 */
    double unfit;   /* 0: each process's latest sighting confirmed its line */
    double vague;   /* 0: and each line is known well */
    double bend;    /* how fast drifts against rank 0's clock changed lately, per second */
    double bound_s; /* half of the round trips along the tree: nothing that is seen knows more */
};

struct global_clock {
    const struct clock *clock; /* borrowed: the own one */
    MPI_Comm all;              /* borrowed */
    MPI_Comm leaders, host;    /* owned; the hosts' first processes, those of the own host */
    bool claims_global;        /* the library says MPI_WTIME_IS_GLOBAL */
    struct link link;
    struct line to_root; /* own clock to rank 0's */

    /* Known to all that took part. */
    int checked;         /* so many processes in the latest check */
    struct check before; /* what it found */
    struct check after;  /* and when everything was mended that could be */
    double look_s;       /* that one sighting for each took */
    double bend;         /* per second; makes of an idea that was off what was seen, and halves */
    double learnt_at_s;  /* when lines were learnt, or last mended */
    double checked_at_s; /* when a check last ended */

    /* Rank 0, for the output. */
    int links[LINK_KINDS], links_global; /* processes that see their parent's clock in this way */
    double bound_s;                      /* largest of any check */
    double residual_s;                   /* by how much starts that were used were off, at most */
    int refreshed;                       /* lines that were mended, since it was last set to 0 */
    double spent_s;                      /* in synchronising and checking */
};

/* All functions that change it are collective over all, or the first processes of all. */
void global_clock_init(struct global_clock *g, const struct clock *c, MPI_Comm all);
void global_clock_release(struct global_clock *g);

/* Learns everything anew. A few milliseconds where the hosts' clocks tell all and none drifts, at
 * most some 80 plus O(log p) rounds of round trips. */
void global_clock_synchronise(struct global_clock *g);

/* Another sighting for each of the first processes, with a communicator of just these, in any
 * order: how far is what it believes from what it sees? O(log p) rounds. Where a clock has changed,
 * its drift is learnt, which takes as long as synchronising, until a sighting of every process
 * confirms what it believes; after a few attempts it is not right. */
void global_clock_check(struct global_clock *g, MPI_Comm comm, int processes);

/* How fast drifts against rank 0's clock changed lately, per second. Alone for t seconds, clocks
 * that go on so are bend * t^2 off. */
double global_clock_bend(const struct global_clock *g);

/* How long may it be left alone? Until what the clocks have bent lately makes so much. At first the
 * drift is known from a short time only. */
double global_clock_alone(const struct global_clock *g, double allowed_s);

/* Has it been left alone for longer, or was a process among the first ones not checked? */
bool global_clock_is_due(const struct global_clock *g, int processes, double allowed_s);

double global_clock_to_local(const struct global_clock *g, double global_s);
double global_clock_to_global(const struct global_clock *g, double local_s);

#endif
