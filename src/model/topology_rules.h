/* What a suite's virtual topology (manual 2.1.9) requires of a run and of the suite. */
#pragma once

#include "base/complaints.h"
#include "model/parameters.h"

enum { MAX_DIMENSIONS = 32 }; /* 2^32 processes are more than any MPI library supports */

/* The suite's topology; NULL: it has none. */
const struct topology *suite_topology(const struct params *p, const struct suite *s);

/* The number of processes among which the suite is measured, if it is not varied: a graph or a
 * permutation fixes it, and takes the first ones of the run. */
int topology_processes(const struct params *p, const struct suite *s, int processes);

bool topology_is_graph(const struct topology *t);

/* For a graph: the processes that a process sends to, and those that it receives from, in the order
 * of the edges. */
struct edges {
    const int *ranks; /* borrowed */
    int count;
};
struct edges topology_targets(const struct topology *t, int rank);
struct edges topology_sources(const struct topology *t, int rank);

/* For a graph whose edges have one direction: turns them round, to the sources of each process in
 * the order of their ranks. -1: out of memory. */
int topology_find_sources(struct topology *t);

/* The maximum number of neighbours of a process, in the direction in which it has more. */
int topology_neighbours(const struct topology *t);

/* The rules between a suite and its topology; those that need the graph of a file, once it is read;
 * those that need the number of processes. */
void topology_check(const struct params *p, const struct suite *s, struct complaints *c);
void topology_check_graph(const struct params *p, const struct suite *s, struct complaints *c);
void topology_check_processes(const struct params *p, const struct suite *s, int processes,
                              struct complaints *c);
