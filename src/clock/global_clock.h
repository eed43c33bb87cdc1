/* One time for all processes: rank 0's clock. Each process knows a line from its own clock to it.
 *
 * The processes form two levels of binomial trees: one over the hosts' first processes, and one in
 * each host. Every process has one parent, and learns a line to its parent's clock from sightings,
 * each a moment apart so that a drift shows; lines are composed on the way down. All pairs of a
 * round work at the same time: O(log p) rounds. How a process sees its parent's clock:
 *   - by the clock of their host, where both turn out to read the same one;
 *   - else by messages, whose fastest round trips bound the offset.
 * Where the library says that MPI_Wtime is global, that is taken as the line while no sighting
 * contradicts it. */
#ifndef SKAMPI_CLOCK_GLOBAL_CLOCK_H
#define SKAMPI_CLOCK_GLOBAL_CLOCK_H

#include "clock/clock.h"
#include "clock/link.h"

#include <mpi.h>
#include <stdbool.h>

struct global_clock {
    const struct clock *clock; /* borrowed: the own one */
    MPI_Comm all;              /* borrowed */
    MPI_Comm leaders, host;    /* owned; the hosts' first processes, those of the own host */
    bool claims_global;        /* the library says MPI_WTIME_IS_GLOBAL */
    struct link link;
    struct line to_root; /* own clock to rank 0's */

    /* Rank 0, for the output. */
    int links[LINK_KINDS], links_global; /* processes that see their parent's clock in this way */
    double residual_s;        /* largest that a check found, since it was last set to 0 */
    int refreshed;            /* lines that a check had to mend, likewise */
    double worst_s;           /* largest residual ever */
    double spent_s;           /* in synchronising and checking */
    double synchronised_at_s; /* when it was learnt */
    double checked_at_s;      /* when a check last ended */
};

/* All functions that change it are collective over all. */
void global_clock_init(struct global_clock *g, const struct clock *c, MPI_Comm all);
void global_clock_release(struct global_clock *g);

/* Learns everything anew. A few milliseconds where the hosts' clocks tell all and none drifts, at
 * most some 80 plus O(log p) rounds of round trips. */
void global_clock_synchronise(struct global_clock *g);

/* Another sighting for each process: how far is what it believes from what it sees? Where that is
 * more than sightings scatter, its line is refreshed. O(log p) rounds. */
void global_clock_check(struct global_clock *g);

/* Rank 0: has it been left alone for too long? At first the drift is known from a short time only.
 */
bool global_clock_is_due(const struct global_clock *g);

double global_clock_to_local(const struct global_clock *g, double global_s);
double global_clock_to_global(const struct global_clock *g, double local_s);

#endif
