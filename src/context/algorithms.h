/* The algorithms of the MPI library as variables of MPI_T: which ones it has for a suite, and
 * communicators on which it uses one. */
#pragma once

#include "base/complaints.h"
#include "model/algorithms.h"

#include <mpi.h>

/* Asks the library for the algorithms of the suites that choose or vary them, and marks those that
 * cannot be measured among this number of processes (suite.skip). May precede MPI_Init; then
 * between_hosts is false, as hosts are not known yet. Complains about algorithms that the library
 * does not have. */
void algorithms_ask(struct params *p, int processes, bool between_hosts, struct complaints *c);

enum { MOST_SETTINGS = 6 };

/* An algorithm of a suite: values of variables, which are swapped with the library's. */
struct algorithm_choice {
    int cvar;     /* the number of the algorithm's variable; -1: nothing is chosen */
    int number;   /* of the algorithm; 0: what the library was started with */
    bool at_call; /* the library reads the variable in each call, not for each communicator */
    int count;
    struct {
        int cvar, value;
    } settings[MOST_SETTINGS];
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

/* Chooses the algorithm with this number. */
struct algorithm_choice algorithm_choose(const struct suite *s, int number);

/* The communicator of the first processes on which the library uses the algorithm. Collective over
 * world; MPI_COMM_NULL on other processes, and on all without memory. */
MPI_Comm algorithm_comm(struct algorithm_comms *a, const struct algorithm_choice *choice,
                        MPI_Comm world, int processes);
void algorithm_comms_release(struct algorithm_comms *a);

/* Call it before and after the calls of a series: other calls use the library's own choice. */
void algorithm_toggle(struct algorithm_choice *choice);
