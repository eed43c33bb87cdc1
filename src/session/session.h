/* One run of skampi: its state, and its steps in the order in which main calls them. All are
 * collective; only rank 0 writes. A step that fails sets e on every rank: all exit together. */
#pragma once

#include "session/request.h"
#include "session/progress.h"
#include "plan/rounds.h"
#include "session/rows.h"
#include "session/usual.h"
#include "context/file_place.h"
#include "hosts/warnings.h"
#include "patterns/suite.h"
#include "results/fact.h"
#include "session/watchdog.h"

struct merge_report;

/* Arguments that a run was asked to measure, and that have no row. Rank 0 only. */
struct missing {
    size_t wanted, measured; /* rows of the suites so far: all, and those that have a value */
    bool late;               /* a limit of time left some out */
    struct text names;       /* "alltoall 512K, 1M; barrier 16": arguments without a row */
    struct text skipped;     /* "alltoall, bcast": suites of words that cannot be measured */
};

/* Adds a suite that is skipped. */
void missing_skip(struct missing *m, const struct suite *s);

/* Adds a suite that is over. processes: of the run. */
void missing_add(struct missing *m, const struct block *b, int processes);

/* Adds "34 of 36 rows; not reached: alltoall 512K, 1M; skipped: bcast", or just "36 rows". */
void missing_add_text(const struct missing *m, struct text *out);

struct session {
    const struct request *request;
    const struct registry *types;
    struct params params;
    struct resources resources;
    struct file_place place;   /* if suites access files */
    double started_s;          /* right after MPI_Init, by MPI_Wtime */
    double end_s;              /* of @TIMERUN, by the resources' clock; 0: none */
    double init_s;             /* how long that took on this process; negative: unknown */
    int late_file;             /* to be written into after the end; rank 0 only; -1: none */
    struct text faults;        /* lines "LABEL why" of suites that ended an earlier launch */
    struct text file_warnings; /* about the parameter file, one line each; rank 0 only */
    struct warnings warnings;  /* rank 0 only */
    struct store store;        /* rank 0 only */
    struct outlook outlook;
    struct progress progress; /* rank 0 only */
    struct rows_view view;    /* rank 0 only */
    struct usual_rows usual;  /* rank 0 only */
    struct missing missing;   /* rank 0 only */
    size_t rows_apart;        /* whose clocks were apart; rank 0 only */
    size_t suites_apart;      /* that have such rows */
    struct watchdog watchdog; /* of the suite */
    struct watchdog silence;  /* of an argument */
    struct text rows;         /* of this turn, as lines for the journal; rank 0 only */
    size_t rows_noted;        /* of the suite: these, and those of earlier turns */
    struct rounds rounds;     /* the suites to measure */
    struct suite_work **work; /* owned; by suite; NULL: not begun, or done */
    bool complete;            /* every suite so far could be measured */
};

/* init_s: how long MPI_Init took on this process. */
void session_init(struct session *s, const struct request *o, const struct registry *types,
                  double init_s);

/* Reads and checks the parameter file, and prints complaints about it; e is then empty. */
int session_read(struct session *s, struct err *e);

/* Prepares clock, hosts, buffers and partners; prints warnings; opens or creates the results. */
int session_begin(struct session *s, struct err *e);

/* The suite whose pass is next; NULL: all are done. */
const struct suite *session_next(struct session *s);

/* Measures a pass of a suite, and after the last one writes its results. If it cannot be measured,
 * this is logged and complete becomes false. -1 means that results can no longer be written. */
int session_measure(struct session *s, const struct suite *suite, struct err *e);

/* After the last suite (@VERIFY): verifies the data of the suites in the result file, which says so
 * in place. Wrong data are reported, and complete becomes false. -1 as above. */
int session_verify(struct session *s, struct err *e);

/* Writes the trailer, and merges the results with those of earlier runs (@POSTPROC). */
int session_finish(struct session *s, struct err *e);
void session_release(struct session *s);

/* Is this rank 0, which alone writes? */
static inline bool session_is_root(const struct session *s)
{
    return s->resources.rank == 0;
}

/* The log's record of a suite; NULL on other ranks. */
const struct past *session_past(const struct session *s, const struct suite *suite);

/* The suite with this label of len bytes; -1: none. */
int session_suite_index(const struct params *p, const char *label, size_t len);

/* Shares rank 0's status with the other ranks, which wait for it without spinning. */
int session_share_status(struct session *s, int rc, struct err *e);

/* Learns clocks, hosts, the latencies that the suites need, and warnings; takes buffers. */
int session_learn_machine(struct session *s, struct err *e);

/* Learns it with parameters that are not the user's; of: what needs them, "the self test". */
int session_take(struct session *s, const struct text *parameters, const char *of, struct err *e);

/* The job to measure or verify a suite, without results and log. */
struct suite_job session_job(struct session *s, const struct suite *suite);

/* Warns with --check if this host cannot use the directory of the files that suites access; the
 * hosts of a run may be others. */
void files_check(const struct params *p, struct complaints *c);

/* Reports of a run to the user on standard error, and to the log; rank 0 only. */

/* News about the user's files; printed even with --quiet. */
void session_print_news(struct session *s);

/* Prints how the run starts, even with --quiet if it is resumed: that affects results. */
void session_print_start(const struct session *s, const struct run_request *start);

/* Warnings are printed even with --quiet, and logged with those about the parameter file. */
int session_report_warnings(struct session *s, struct err *e);

/* Explains why the exit status will be 1, if there are rows without a result. */
void session_print_empty_rows(const char *label, const struct block *b);

/* Counts the rows of a block whose clocks were apart, and warns in the first suite that has some;
 * session_print_end prints how many there were, if there were more suites. Even with --quiet. */
void session_print_clocks(struct session *s, const char *label, const struct block *b);

/* Warns in the first suite whose processes had too little of the CPUs; without a label, at the end,
 * about their share in the whole run. Even with --quiet. */
void session_print_contention(const struct session *s, const char *label);

/* Reports what happened to each file: in full in the log, in short to the user. */
int session_report_merge(struct session *s, struct merge_report *merged, struct err *e);

void session_print_end(struct session *s);
