/* Ends a run in which a suite hangs, so that the next start continues after it (@SUITETIMEOUT).
 *
 * A timer's signal comes a few times during the limit, and the handler counts it: a process that is
 * stopped counts nothing, so that time in which all processes are stopped is no part of the limit.
 * At the last one, when this process, too, may hang within MPI, the handler writes what was
 * prepared before, and ends the process by _exit with status 1, upon which the launcher ends the
 * others: a process has left without MPI_Finalize. It calls no MPI_Abort, which need not return
 * from a library that hangs.
 *
 * Every rank has one. Rank 0 comes first and writes the log; another rank comes a little later, the
 * later the higher it is, and only where rank 0, or those before it, are stopped. */
#ifndef SKAMPI_SESSION_WATCHDOG_H
#define SKAMPI_SESSION_WATCHDOG_H

#include "base/err.h"
#include "base/text.h"

#include <signal.h>
#include <stdbool.h>
#include <time.h>

struct watchdog {
    bool created;
    volatile sig_atomic_t armed;
    volatile sig_atomic_t left; /* signals until it barks */
    int signals;                /* all of them */
    timer_t timer;
    double limit_s;      /* 0: it never barks */
    int log_fd;          /* -1: rank 0 has the log */
    struct text line;    /* for the log */
    struct text message; /* for the user */
};

/* The struct must stay where it is until the release. */
int watchdog_init(struct watchdog *w, double limit_s, int rank, int log_fd, struct err *e);

/* Around each suite. Rank 0 leaves out what it writes; for the others, who wait for it then, that
 * counts on its own: arming again starts the limit anew. */
int watchdog_arm(struct watchdog *w, const char *label, struct err *e);
void watchdog_disarm(struct watchdog *w);

void watchdog_release(struct watchdog *w);

#endif
