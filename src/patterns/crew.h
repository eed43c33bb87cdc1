/* The threads of a process that make the calls of a repetition at the same time (key threads), each
 * with a measurement of its own: a copy of the process's, except for its number, communicator or
 * tags, place in the buffers, requests and state. For pattern.c and verification; operations and
 * patterns know nothing of it. */
#pragma once

#include "patterns/pattern.h"

/* A part of a repetition, made on each thread with its own measurement. */
typedef void crew_part(struct measurement *m, const struct op *op, int calls);

/* Makes the other threads of a measurement that has begun; they wait. Nothing if there is only one.
 * 0 or -1 on this process; stop them in any case. */
int crew_start(struct measurement *m, struct err *e);
void crew_stop(struct measurement *m);

/* Makes the part on all threads at the same time, and returns when the last one is done. */
void crew_work(struct measurement *m, crew_part *part, const struct op *op, int calls);

/* The measurement of thread i, from 0, the process's own, until NULL; and a call for each in turn:
 * one thread may do for all what is not timed. */
struct measurement *crew_member(struct measurement *m, int i);
void crew_each(struct measurement *m, void (*call)(struct measurement *));
