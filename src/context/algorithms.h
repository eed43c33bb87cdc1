/* The algorithms of the MPI library as variables of MPI_T: which ones it has for a suite, and
 * communicators on which it uses one. */
#ifndef SKAMPI_CONTEXT_ALGORITHMS_H
#define SKAMPI_CONTEXT_ALGORITHMS_H

#include "base/complaints.h"
#include "base/err.h"
#include "model/algorithms.h"

#include <mpi.h>

/* Asks the library for the algorithms of the suites that choose or vary them, and marks those that
 * cannot be measured among this number of processes (suite.skip). May precede MPI_Init. Complains
 * about algorithms that the library does not have. */
void algorithms_ask(struct params *p, int processes, struct complaints *c);

/* What a suite wants of an algorithm. */
struct algorithm_choice {
    const char *variable, *enable; /* borrowed; enable may be NULL */
    int cvar;                      /* the variable's number; -1: nothing is chosen */
    int started;                   /* its value when the choice was made */
    int number, segment, fanout;   /* number 0: what the library was started with */
    bool at_call; /* the library reads the variable in each call, not for each communicator */
};

/* A communicator that lasts until the end. */
struct algorithm_comm {
    struct algorithm_choice choice;
    int processes;
    MPI_Comm comm;
};

struct algorithm_comms {
    struct algorithm_comm *list; /* owned */
    size_t count;
};

/* number: of the algorithm. */
struct algorithm_choice algorithm_choose(const struct suite *s, int number);

/* That of the first processes on which the library uses the algorithm. Collective over world;
 * MPI_COMM_NULL on other processes, and on all without memory. */
MPI_Comm algorithm_comm(struct algorithm_comms *a, const struct algorithm_choice *choice,
                        MPI_Comm world, int processes);
void algorithm_comms_release(struct algorithm_comms *a);

/* Between the calls of a series, other calls of the program use the library's own choice. */
void algorithm_force(const struct algorithm_choice *choice, bool on);

/* Makes the library report a choice that does not fit, instead of taking another one. Returns what
 * it did before, for the call that ends it. */
int algorithm_be_strict(void);
void algorithm_be_lenient(int before);

#endif
