/* The two files of a run: results and log. Only rank 0 has one. What is written is on the disk
 * before the call returns; a suite's block reaches the file in one piece, and the log says that
 * the suite is done only afterwards. So a run may end at any moment, and store_open goes on. */
#ifndef SKAMPI_RESULTS_STORE_H
#define SKAMPI_RESULTS_STORE_H

#include "results/out_file.h"
#include "results/recovery.h"

struct store {
    char *out_path; /* owned */
    char *log_path; /* owned */
    struct out_file out;
    int log_fd;
    struct recovery recovery; /* what was found, and in which order the suites are measured */
    struct text kept;         /* the new name of an earlier output file; "": there was none */
    struct text resumed;      /* goes before the next block */
    struct text news;         /* lines for the user, which whoever prints them releases */
};

/* Begins a run or, where an earlier start has left one unfinished, goes on with it (recovery.h).
 * A finished output file is moved to the first free name out_path.1, .2, ... before. Nothing is
 * touched before the log is open and locked; a second run with the same log is refused (log.h).
 * Neither file may be the other one or the parameter file. What start points to is not needed
 * behind the call. Release s in any case. */
int store_open(struct store *s, const struct run_request *start, struct err *e);

/* Before a suite is measured; behind it with its block, or with why it cannot be measured; at the
 * end of the run with the trailer, which an output file that was finished before has already. */
int store_begin_suite(struct store *s, const char *label, struct err *e);
int store_end_suite(struct store *s, const char *label, const char *block, struct err *e);
int store_fail_suite(struct store *s, const char *label, const char *why, struct err *e);
int store_finish(struct store *s, const char *trailer, bool merge, struct err *e);

/* If a merge with earlier runs follows (merge), the log is told before the end of the run, so that
 * the next start completes one that is interrupted; and once it is over. */
int store_end_merge(struct store *s, struct err *e);

/* A line in the log for whoever reads it. */
int store_note(struct store *s, const char *text, struct err *e);

void store_release(struct store *s);

#endif
