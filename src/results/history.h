/* What the log records about the last run of a result file. Pure. */
#ifndef SKAMPI_RESULTS_HISTORY_H
#define SKAMPI_RESULTS_HISTORY_H

#include "base/err.h"
#include "base/text.h"
#include "results/run_request.h"

enum suite_state {
    SUITE_LEFT,  /* to be measured */
    SUITE_BEGUN, /* no further line about it: interrupted */
    SUITE_DONE,
    SUITE_FAILED,  /* cannot be measured */
    SUITE_GIVEN_UP /* crashed too often; set by recovery.h, not by the log */
};

struct past {
    enum suite_state state;
    int crashes;
    struct text passes; /* of a suite that is not done: lines, see pass_text.h */
};

struct history {
    bool found; /* the log has a run that wrote this file */
    bool ended;
    bool merging; /* its merge with earlier runs was begun, but not completed */
    uint64_t fingerprint, header_hash;
    size_t header_len; /* 0: the log lacks fingerprint, processes or header */
    int processes;
    char *hosts;         /* owned; or NULL */
    char *times;         /* owned; the end of the name of its file with times; or NULL */
    struct past *suites; /* owned; one per label of the request */
    size_t suite_count;
};

/* Reads the log's text. Its last line may be torn; any other line that is not a line of a log is an
 * error. Release h in any case. */
int history_read(struct history *h, const struct run_request *s, const char *log, size_t len,
                 struct err *e);

void history_release(struct history *h);

#endif
