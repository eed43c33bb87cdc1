/* Ends a run in which a suite hangs, so that the next start goes on behind it (@SUITETIMEOUT).
 *
 * Nothing runs meanwhile: a timer's signal comes once the time is over, when this process, too, may
 * hang within MPI. Its handler writes what was prepared before, and ends the process by _exit with
 * status 1, upon which the launcher ends the others: a process has left without MPI_Finalize. It
 * calls no MPI_Abort, which need not come back from a library that hangs. */
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
    timer_t timer;
    double limit_s; /* 0: it never barks */
    int log_fd;
    struct text line;    /* for the log */
    struct text message; /* for the user */
};

/* The struct must stay where it is until the release. */
int watchdog_init(struct watchdog *w, double limit_s, int log_fd, struct err *e);

/* Around each suite, measuring only: not while a file is written. */
int watchdog_arm(struct watchdog *w, const char *label, struct err *e);
void watchdog_disarm(struct watchdog *w);

void watchdog_release(struct watchdog *w);

#endif
