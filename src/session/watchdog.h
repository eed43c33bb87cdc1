/* Ends a run in which a suite hangs, so that the next launch continues after it (@SUITETIMEOUT).
 *
 * A timer sends several signals during the limit, and the handler counts them. A stopped process
 * does not count, so time in which all processes are stopped does not count towards the limit. At
 * the last signal, this process may hang within MPI, too: the handler writes what was prepared
 * before and ends the process by _exit with status 1. The launcher then ends the other processes,
 * because one has exited without MPI_Finalize. The handler does not call MPI_Abort, which may not
 * return from a library that hangs.
 *
 * Every rank has a watchdog. Rank 0's expires first and writes journal, log, and the last line of
 * standard output. Those of the other ranks expire a little later, in the order of their ranks, and
 * matter only if the ranks before them are stopped. */
#pragma once

#include "base/text.h"

#include <signal.h>

enum { WATCHDOG_RANKS = 16 }; /* ranks that report what they have not finished */

struct watchdog {
    bool created;
    bool ends;  /* the run; otherwise it warns */
    bool keeps; /* the run has files, and can be resumed: set it */
    volatile sig_atomic_t armed;
    volatile sig_atomic_t left; /* signals until it expires */
    int signals;                /* signals in total */
    timer_t timer;
    double limit_s;    /* 0: never expires; at first negative: set it before arming */
    double write_s;    /* at most for its last words, also of a pipe that nobody reads */
    const char *limit; /* what it follows from, by default "@SUITETIMEOUT" */
    time_t expires;
    int rank;
    int journal_fd; /* -1, as the others, except on rank 0: set it */
    int log_fd;
    struct text *rows; /* borrowed, or NULL; lines before that one, written once */
    int rows_fd;       /* where they are written: the journal, or standard output */
    void (*add_last)(struct text *out, const char *why); /* rank 0: adds last; or NULL */
    struct text last;    /* the last line of standard output, if the run ends */
    struct text line;    /* for journal and log */
    struct text message; /* for the user */
};

/* The struct must not be moved until it is released. limit_s < 0: it warns. */
int watchdog_init(struct watchdog *w, double limit_s, int rank, struct err *e);

/* Call around each turn of a suite, with the time that it spent in earlier ones. Rank 0 does not
 * watch its own writing; the other ranks, which wait for it, watch it with a limit of its own:
 * arming again restarts the limit. */
void watchdog_arm(struct watchdog *w, const char *label, double spent_s);
void watchdog_disarm(struct watchdog *w);

/* Says where the suite that is watched is: "", or " at argument 8". */
void watchdog_name(struct watchdog *w, const char *label, const char *argument);

void watchdog_release(struct watchdog *w);
