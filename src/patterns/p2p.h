/* Chooses the client of a ping-pong (manual 3.1.2: by default the process with the largest
 * latency). Also the internal measurement 52. */
#pragma once

#include "context/machine.h"

/* Rank 0 and another process: n short round trips, each timed on rank 0. p2p_echo returns n. */
void p2p_ask(struct machine *m, int other, double *us, int n);
int p2p_echo(struct machine *m);

/* Collective over the machine's world: rank 0 exchanges short messages with each of the other first
 * processes in turn, and stores the fastest round trip with each in m->latency_us. It makes a few
 * exchanges; more if they decide which process is nearest or farthest (hosts/nearness.h). */
int p2p_latencies(struct machine *m, int processes, struct err *e);
