/* What a launch passes to the result file and the log. */
#ifndef SKAMPI_RESULTS_RUN_REQUEST_H
#define SKAMPI_RESULTS_RUN_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RETRIES_UNLIMITED = -1, PROCESSES_UNKNOWN = 0 };

/* All borrowed. */
struct run_request {
    const char *out_path, *log_path;
    const char *parameter_path; /* or NULL */
    const char *header;         /* of a new result file */
    const char *facts;          /* lines for a resumed run: hosts and warnings */
    const char *hosts;          /* where the processes run, one line */
    int processes;              /* PROCESSES_UNKNOWN: the same number as before */
    uint64_t fingerprint;       /* hash of the parameters that matter */
    const char *const *labels;  /* of the suites, in their order */
    size_t count;
    int max_retries; /* of a suite that crashes, over all launches; or RETRIES_UNLIMITED */
    bool fresh;      /* do not resume */
    bool times;      /* a suite keeps its times */
};

#endif
