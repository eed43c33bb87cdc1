/* Graphs of a @TOPOLOGYn section: the neighbours of process 0, 1, ... in brackets. */
#ifndef SKAMPI_PARAMS_GRAPHS_H
#define SKAMPI_PARAMS_GRAPHS_H

#include "params/topology_reading.h"

/* Each takes all of the text. Returns 0, or -1 after at least one complaint. */
int graph_read(struct topology_reading *r);    /* every edge must lead back */
int directed_read(struct topology_reading *r); /* edges have one direction */

#endif
