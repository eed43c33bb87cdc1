/* Reports the progress of the run on standard error: on a terminal, one line that is updated;
 * otherwise a line per suite. Rank 0 only. */
#ifndef SKAMPI_SESSION_PROGRESS_H
#define SKAMPI_SESSION_PROGRESS_H

#include "params/params.h"
#include "session/estimate.h"

#include <stdbool.h>

struct progress {
    bool quiet, terminal;
    double (*now)(void);
    double started_s;
    size_t suite, suites; /* number of the current suite, from 1; of all suites */
    double done_s, all_s; /* estimated seconds of the suites that are done, and of all */
    struct forecast part; /* of the current suite */
    char label[SUITE_LABEL_SIZE];
};

void progress_init(struct progress *g, const struct params *p, bool quiet, double (*now)(void));
/* Call once for every suite that will be measured; the other suites count as done. */
void progress_expect(struct progress *g, const struct params *p, const struct suite *s,
                     int processes);
void progress_begin_suite(struct progress *g, const struct params *p, const struct suite *s,
                          int processes);

/* Callback of a suite that reports the number of arguments done. context is the struct progress. */
void progress_argument(void *context, size_t done);

void progress_end_suite(struct progress *g);

/* "13 s", "1:20 min" */
const char *progress_duration(double seconds, char *buffer, size_t size);

/* Prints where the results are, and how the time was spent. */
void progress_end(struct progress *g, const char *where, const char *shares);

#endif
