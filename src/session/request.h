/* What a call of skampi asks for. */
#ifndef SKAMPI_SESSION_REQUEST_H
#define SKAMPI_SESSION_REQUEST_H

#include "base/markup.h"

#include <stdbool.h>

enum action {
    ACTION_MEASURE,
    ACTION_CHECK,
    ACTION_STATUS,
    ACTION_LIST,
    ACTION_HELP_PARAMS,
    ACTION_HELP_OUTPUT,
    ACTION_PRINT_CONFIG,
    ACTION_POSTPROCESS,
    ACTION_VERSION,
    ACTION_HELP
};

struct request {
    enum action action;
    const char *file;    /* the parameter file */
    const char *outfile; /* NULL: as @OUTFILE says */
    const char *machine; /* --machine, instead of what @MACHINE says; NULL: not given */
    const char *name;    /* of --list and --help-params (may be NULL), --print-config */
    int processes;       /* that --check and --status assume; 0: not told */
    char **runs;         /* the files of --postprocess */
    int run_count;
    bool force; /* --postprocess merges what differs, and overwrites its output */
    bool quiet;
    bool fresh;         /* begin anew, whatever an earlier start has left */
    enum markup markup; /* of what is told */
    unsigned given;     /* which options there were: bits, as option_row() counts them */
};

#endif
