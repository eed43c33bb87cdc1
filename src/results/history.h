/* What the log tells about the last run of an output file. Pure. */
#ifndef SKAMPI_RESULTS_HISTORY_H
#define SKAMPI_RESULTS_HISTORY_H

#include "base/err.h"
#include "results/run_request.h"

enum suite_state {
    SUITE_LEFT,  /* to be measured */
    SUITE_BEGUN, /* and nothing else was told: interrupted */
    SUITE_DONE,
    SUITE_FAILED,  /* cannot be measured */
    SUITE_GIVEN_UP /* has crashed too often; not the log's word but recovery.h's */
};

struct past {
    enum suite_state state;
    int crashes;
};

struct history {
    bool found; /* the log tells of a run that wrote this file */
    bool ended;
    bool merging; /* its merge with earlier runs was begun, and nothing else was told */
    uint64_t fingerprint, header_hash;
    size_t header_len; /* 0: the log tells no fingerprint, processes or header */
    int processes;
    char *hosts;         /* owned; or NULL */
    struct past *suites; /* owned; one per label of the start */
};

/* Reads the log's text, whose last line may be torn. Fails on any other line that is no line of a
 * log; release h in any case. */
int history_read(struct history *h, const struct run_request *s, const char *log, size_t len,
                 struct err *e);

void history_release(struct history *h);

#endif
