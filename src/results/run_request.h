/* What a start of skampi passes to its output file and its log. */
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
    const char *header;         /* of a new output file */
    const char *facts;          /* lines for one that is resumed: hosts and warnings */
    const char *hosts;          /* where the processes run, one line */
    int processes;              /* or PROCESSES_UNKNOWN: as many as before */
    uint64_t fingerprint;       /* of what is measured */
    const char *const *labels;  /* of the suites, in their order */
    size_t count;
    int max_retries; /* of a suite that crashes, over all starts; or RETRIES_UNLIMITED */
    bool fresh;      /* nothing is to be resumed */
};

#endif
