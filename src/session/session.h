/* One run of skampi: what it holds, and its steps, in the order in which main takes them. All are
 * collective; what concerns files and the user is rank 0's. A step that fails leaves e set on every
 * rank, so that all ranks leave together. */
#ifndef SKAMPI_SESSION_SESSION_H
#define SKAMPI_SESSION_SESSION_H

#include "session/request.h"
#include "session/progress.h"
#include "context/machine.h"
#include "hosts/warnings.h"
#include "ops/registry.h"
#include "results/store.h"
#include "session/watchdog.h"

struct session {
    const struct request *request;
    const struct registry *types;
    struct params params;
    struct machine machine;
    struct text file_warnings; /* of the parameter file, a line each; rank 0 only */
    struct warnings warnings;  /* rank 0 only */
    struct store store;        /* rank 0 only */
    struct progress progress;  /* rank 0 only */
    struct watchdog watchdog;
    int *order;    /* owned; indexes of the suites that are to be measured ... */
    int left;      /* ... so many, of which ... */
    int next;      /* ... this one comes next */
    bool complete; /* all that was asked for could be measured so far */
};

void session_init(struct session *s, const struct request *o, const struct registry *types);

/* The parameter file, checked for this many processes. What is wrong with it was printed, so that e
 * stays empty then. */
int session_read(struct session *s, struct err *e);

/* Clock, hosts and buffers; ping-pong partners; warnings; the output file with its header, or what
 * an earlier start has left of it. */
int session_begin(struct session *s, struct err *e);

/* The suite that comes next; NULL: all are done. */
const struct suite *session_next(struct session *s);

/* One suite, to the disk. One that cannot be measured is noted and spoils complete; -1 means that
 * nothing can be written any more. */
int session_measure(struct session *s, const struct suite *suite, struct err *e);

int session_finish(struct session *s, struct err *e);
void session_release(struct session *s);

#endif
