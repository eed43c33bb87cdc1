/* Turns with another run on the same CPUs (skampi-launch --duet): while one run measures, all
 * processes of the other one sleep. Rank 0 of both runs is on the same host, where two pipes
 * (mkfifo) connect them: each writes at which place it waits, and so both know whose turn it is.
 * The run with the earlier place goes first, so that both measure the same visit one after the
 * other; at equal places a random order that both know decides. No MPI. */
#pragma once

#include "base/err.h"

/* A place in a run, in its order: which round, which suite in it, which visit in that turn. */
struct duet_place {
    int round, suite, visit;
};

struct duet {
    bool on;                 /* on all processes; the following on rank 0 */
    int in, out;             /* the pipes */
    uint32_t id;             /* random, the same in both runs */
    bool leads;              /* which of them this one is */
    bool alone;              /* the other run has measured all */
    int patience_ms;         /* for the other run to do what it has to; 0: the usual one */
    struct duet_place other; /* where it waits */
    long turns;              /* waited for */
    double slept_s;          /* on each process that is awake: the time between its turns, */
    double cpu_s;            /* the CPU time of all of its threads in it, */
    double wakeups;          /* and how often one of them was woken */
};

/* pipes: "OWN:OTHER", paths. Waits until the other run has opened them, too, but not for ever. As
 * each wait for the other run, this one is said after some seconds, and ends. */
int duet_open(struct duet *d, const char *pipes, struct err *e);

/* Waits for the turn to go on from this place. -1: the other run has ended before its last visit,
 * or does nothing. 1: the other run does not make this visit. A signal ends the wait, too. */
int duet_wait(struct duet *d, struct duet_place at, struct err *e);

/* After the last visit: lets the other run go on alone. */
void duet_close(struct duet *d);

/* Around the sleep of each process. */
void duet_sleep(struct duet *d);
void duet_wake(struct duet *d);
