/* The share of a CPU that each process gets while it measures, and the share of the host's CPUs
 * that its hypervisor gives to other guests (hosts/cpu_use.h). Each process adds up its own; rank 0
 * collects them after each turn of a suite, so that nothing is sent between measurements. In a
 * simulation, and for oversubscribed processes, which wait for each other, nothing is contended. */
#pragma once

#include "clock/clock.h"
#include "hosts/cpu_use.h"
#include "hosts/places.h"

#include <mpi.h>

enum { CONTENTION_ORDERS = 4096 }; /* of a turn; later ones are not marked */

struct contention {
    bool off;
    const struct hosts *hosts;              /* borrowed */
    struct cpu_use since, suite, host_then; /* of this process */
    double since_s;
    int orders; /* to measure in the turn so far, also on processes that do not take part */
    unsigned char marks[CONTENTION_ORDERS + 1]; /* enum contended; at the end of the turn,
                                                 * anywhere, and then the turn as a whole */
    struct cpu_use *of_suite, *of_run;          /* owned, rank 0: one per process */
    int suites;                                 /* rank 0: that were contended */
    bool goes_on; /* processes wait for CPUs: this process's in this turn, or any in the last
                   * one */
};

void contention_init(struct contention *c, const struct hosts *h, int rank);
void contention_release(struct contention *c);

/* Call before a turn of a suite, with what this process used in earlier ones; and around each
 * measurement of this process. The clock shows now_s. Naps count as time on a CPU, as the spinning
 * that they replace: otherwise they would show contention. */
void contention_begin_turn(struct contention *c, const struct cpu_use *used);
void contention_begin(struct contention *c, double now_s);
void contention_end(struct contention *c, double now_s, bool napped);

/* The bits of enum contended of the current order, or one that is over, as far as this process
 * knows. */
int contention_marks(const struct contention *c, int order);

/* Collective. At the end of a turn: rank 0 learns the marks of all processes, each process what it
 * used so far. At the end of a suite: rank 0 learns what all processes used. */
void contention_end_turn(struct contention *c, const struct clock *clock, MPI_Comm comm,
                         struct cpu_use *used);
void contention_collect(struct contention *c, MPI_Comm comm);

/* Rank 0, after that: the facts of the suite or of the run; and, if a process got too little of a
 * CPU, or a host lost too much, what to do. */
void contention_suite_facts(const struct contention *c, struct text *out);
void contention_run_facts(const struct contention *c, struct text *out);
void contention_suite_warning(const struct contention *c, struct text *out);
void contention_run_warning(const struct contention *c, struct text *out);
