/* The resources of a run: processes, clock, buffers, hosts. */
#pragma once

#include "context/algorithms.h"
#include "context/contention.h"
#include "context/devices.h"
#include "results/shares.h"
#include "hosts/duet.h"
#include "hosts/tcp.h"
#include "context/control.h"
#include "context/global_clock.h"

struct resources {
    MPI_Comm world;   /* own duplicate of MPI_COMM_WORLD, for what is measured */
    MPI_Comm control; /* another, for control messages */
    int rank, size;
    struct clock clock;
    double wtime_rate; /* of MPI_Wtime; not 1: all go by CLOCK_MONOTONIC instead */
    struct global_clock global;
    struct start_skew start_skew; /* at the start of the run; rank 0 */
    double init_s; /* of MPI_Init on the slowest process, rank 0; negative: unknown */
    struct shares shares;
    double began_s, host_began_s; /* one instant, by the clock and by that of the host */
    struct hosts hosts;
    struct contention contention;
    struct buffers buffers;
    struct devices devices;
    struct duet duet; /* joined by the session */
    struct tcp tcp;   /* to another process, for operations without MPI */
    struct algorithm_comms algorithms;
    struct file_place *place; /* borrowed; NULL: no operation accesses files */
    double *latency_us;       /* owned; rank 0: per rank the fastest short ping-pong with it, if
                                 resources_latencies measured it */
};

/* Collective; must not move afterwards. The buffers get what the most demanding suite needs, at
 * most @MEMORY. The run started at started_s, by MPI_Wtime. */
int resources_init(struct resources *res, const struct params *p, double started_s, struct err *e);

/* After the start: was a clock set meanwhile? Then nothing that was learnt of the clocks holds.
 * Collective; the error names the rank. */
int resources_check_clock(struct resources *res, struct err *e);

void resources_release(struct resources *res);

/* Begins another activity (results/shares.h). Returns the one before. */
enum activity resources_enter(struct resources *res, enum activity next);

/* Do all processes read the clock of one host? */
bool resources_share_clock(const struct resources *res);

/* Is @MEMORY so large that using all of it leaves none of it in the cache, of the host or of its
 * GPU? Rank 0. */
bool resources_evicts(const struct resources *res);

/* Rank 0 and another process: n short round trips, each timed on rank 0, which gets the shortest.
 * latency_answer returns n. They choose the client of a ping-pong, and are measurement 52. */
double latency_ask(struct resources *res, int other, double *us, int n);
int latency_answer(struct resources *res);

/* Collective over the machine's world: rank 0 exchanges short messages with each of the other first
 * processes in turn, and stores the fastest round trip with each in res->latency_us. It makes a few
 * exchanges; more if they decide which process is nearest or farthest (hosts/nearness.h). */
void resources_latencies(struct resources *res, int processes);

/* Which process runs where: host names, CPU binding, and whether the CPUs suffice. */

/* Call before MPI_Init: if the launcher says that this host has more processes than CPUs, Open MPI
 * is set to yield while it waits, unless the user has decided that. MPICH 4.0 has no such setting:
 * its MPIR_CVAR_POLLS_BEFORE_YIELD is for an older device, and yields nothing on Linux. */
void hosts_before_init(void);

/* Collective over comm. Each rank inspects its own host. SimGrid's simulator runs all processes on
 * this machine, whose CPUs are not those of the simulated hosts: only their names are known. */
void hosts_init(struct hosts *h, MPI_Comm comm);
void hosts_release(struct hosts *h);
