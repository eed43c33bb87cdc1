/* What a suite's virtual topology (manual 2.1.9) asks of a run and of the suite. */
#ifndef SKAMPI_MODEL_TOPOLOGY_RULES_H
#define SKAMPI_MODEL_TOPOLOGY_RULES_H

#include "base/complaints.h"
#include "model/parameters.h"

enum { DIMENSIONS_MOST = 32 }; /* no MPI library has so many processes that it takes more */

/* The suite's topology; NULL: it has none. */
const struct topology *suite_topology(const struct params *p, const struct suite *s);

/* Among how many processes of a run the suite is measured where they are not varied: a graph or a
 * permutation is for so many, which are the first ones. */
int topology_processes(const struct params *p, const struct suite *s, int processes);

/* How many neighbours a process has at most. */
int topology_neighbours(const struct topology *t);

/* The rules between a suite and its topology; those that need the number of processes. */
void topology_check(const struct params *p, const struct suite *s, struct complaints *c);
void topology_check_processes(const struct params *p, const struct suite *s, int processes,
                              struct complaints *c);

#endif
