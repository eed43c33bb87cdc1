/* The requests of the command line, also about a run's files. */
#pragma once

#include "params/params.h"
#include "model/suite.h"
#include "results/journal.h"

enum action {
    ACTION_MEASURE,
    ACTION_SELFTEST,
    ACTION_HEALTH,
    LAST_ACTION_WITH_MPI = ACTION_HEALTH,
    ACTION_CHECK,
    ACTION_STATUS,
    ACTION_VISITS,
    ACTION_LIST,
    ACTION_HELP_PARAMS,
    ACTION_HELP_OUTPUT,
    ACTION_PRINT_CONFIG,
    ACTION_CATALOG,
    ACTION_POSTPROCESS,
    ACTION_VERSION,
    ACTION_HELP
};

enum { MAX_SETTINGS = 64 };

struct request {
    enum action action;
    const char *file;    /* the parameter file; "-": standard input */
    const char *outfile; /* NULL: use @OUTFILE; "-": standard output */
    char **command;      /* the command line, with the program; borrowed */
    int command_count;
    const char **words; /* what to measure instead of a file's suites; NULL: none */
    int word_count;
    const char *lengths, *seconds, *vary, *as; /* of the words' suites; or NULL */
    const char *settings[MAX_SETTINGS];        /* NAME=VALUE each */
    int setting_count;
    bool own_suites;  /* the words are operations, not a shipped file */
    const char *text; /* the parameter file that the words mean; NULL: it is read from file */
    const char *line, *marked; /* the command line, and this text with marks (complaints.h) */
    bool json;                 /* rows, or what is asked for, as JSON */
    bool openmetrics;          /* the same of --health, in that format */
    const char *duet;     /* "OWN:OTHER", pipes to a run with which it takes turns; NULL: none */
    const char *machine;  /* --machine, which replaces @MACHINE; NULL: not given */
    const char *name;     /* of --list, --help-params, --selftest (may be NULL), --print-config */
    const char *baseline; /* the file to compare with; NULL: none */
    const char *save;     /* of --health: the file that gets a baseline; NULL: none */
    enum thread_level threads; /* --threads, which replaces @THREADS; LEVEL_AUTO: not given */
    enum thread_level level;   /* with which this process begins */
    int processes;             /* that --check and --status assume; 0: not given */
    char **runs;               /* the files of --postprocess */
    int run_count;
    bool write; /* --status: the visits so far, into the result file */
    bool force; /* --postprocess merges any runs, and overwrites its output; --health saves any */
    bool quiet;
    bool verbose;   /* with the version, what a report of a problem needs */
    bool fresh;     /* start over instead of resuming */
    bool brief;     /* help on one screen */
    bool of_health; /* help about the word health */
    bool fixed;     /* --print-config: without refinement */
    uint64_t given; /* the options that were given: bits, in the order of the rows */
};

/* NAME=VALUE if this --set is @LABEL=NAME=VALUE, which a parameter file takes, too; else NULL. */
const char *request_label(const struct request *o, int setting);

/* Does a run keep a result file and a log? Neither if it is asked for by words alone, or its
 * results go to standard output. Both kinds of results have a header. */
bool request_keeps_files(const struct request *o);
bool request_prints_results(const struct request *o);
bool request_has_header(const struct request *o);

/* The result file of such a run. */
const char *request_results(const struct request *o, const struct params *p);

/* Makes the request for a run (results/journal.h) from the parameters and options: fills in
 * everything except what depends on the machine: header, facts, hosts and processes. p and o are
 * borrowed. Release in any case. */
void run_request_init(struct run_request *s, const struct params *p, const struct request *o);
void run_request_release(struct run_request *s);
