/* Long messages of MPI beside as many bytes through a TCP connection of skampi's own, for hosts
 * between which TCP serves. */
#pragma once

#include "session/health_hosts.h"

/* First processes, in pairs of hosts, by the interface that served this one. Rank 0: the median
 * share of TCP's bandwidth that MPI reaches, NaN if no pair could be connected. */
int health_tcp_compare(struct health_hosts *w, const char *interface, struct health_run *run,
                       struct err *e);
