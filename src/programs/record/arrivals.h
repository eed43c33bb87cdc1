/* When processes arrive at collective calls, of one call in 64: each process notes the time of its
 * arrival; in the end, when the clocks are known, the last one is found. */
#pragma once

#include "programs/record/cells.h"
#include "programs/record/handles.h"

enum { ONE_OF = 64 };

/* Begins to compare this process's clock with that of rank 0; collective. */
void arrivals_init(MPI_Comm comm);

/* Is the call with this number the one of n? The same on all processes of its communicator. At
 * random, or a program with a rhythm would always be seen at the same call. */
bool arrivals_chosen(uint64_t number, uint64_t n);

/* Notes the arrival, now, at the call whose number in its group is g->collectives, if it is one of
 * those that are noted, or in any case. */
void arrivals_note(struct group *g, struct cell *cell, bool in_any_case);

/* Finds the last arrivals and adds them to the cells; collective. */
void arrivals_finish(MPI_Comm comm);
