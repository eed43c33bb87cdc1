/* The requirements of a suite's virtual topology (manual 2.1.9) on a run and on the suite. */
#pragma once

#include "base/err.h"

struct complaints;
struct params;
struct suite;

enum topology_kind {
    TOPOLOGY_NONE,
    TOPOLOGY_CARTESIAN,
    TOPOLOGY_GRAPH,
    TOPOLOGY_DIRECTED,
    TOPOLOGY_REORDER
};
enum { TOPOLOGY_MAX = 10 };

/* @TOPOLOGYn (manual 2.1.9). */
struct topology {
    enum topology_kind kind;
    bool reorder; /* false: NOREORDER was written */
    int count;    /* Cartesian: dimensions; otherwise processes */
    int *values;  /* owned. Cartesian: periodic 0 or 1 per dimension; Reorder: the permutation;
                   * graphs: the neighbours of process 0, of 1, ... one after the other, for
                   * directed ones the processes that it sends to */
    int *ends;    /* owned; graphs only: index after the last neighbour of each process */
    int *sources, *source_ends; /* owned; likewise the processes that each receives from, for
                                 * directed graphs; NULL for others */
    char *file;    /* owned; graphs only: where they are written; NULL: in the parameter file.
                      Until it is read, count is 0 */
    size_t offset; /* of the definition in the parameter file */
};

enum { MAX_DIMENSIONS = 32 }; /* 2^32 processes are more than any MPI library supports */

/* The suite's topology; NULL without one. */
const struct topology *suite_topology(const struct params *p, const struct suite *s);

/* The number of processes among which the suite is measured, if it is not varied: a graph or a
 * permutation fixes it, and takes the first ones of the run. */
int topology_processes(const struct params *p, const struct suite *s, int processes);

bool topology_is_graph(const struct topology *t);

/* The processes that one sends to, and those it receives from, in order of the edges of a graph. */
struct edges {
    const int *ranks; /* borrowed */
    int count;
};
struct edges topology_targets(const struct topology *t, int rank);
struct edges topology_sources(const struct topology *t, int rank);

/* Turns the edges of a directed graph round, to the sources of each process in the order of their
 * ranks. */
void topology_find_sources(struct topology *t);

/* The maximum number of neighbours of a process, in the direction in which it has more. */
int topology_neighbours(const struct topology *t);

/* Check the rules between a suite and its topology: all; those that need the graph of a file, once
 * it is read; those that need the number of processes. */
void topology_check(const struct params *p, const struct suite *s, struct complaints *c);
void topology_check_graph(const struct params *p, const struct suite *s, struct complaints *c);
void topology_check_processes(const struct params *p, const struct suite *s, int processes,
                              struct complaints *c);
