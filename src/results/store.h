/* The files of a run, journal, results and log, on rank 0 only. What the journal has is on the disk
 * before a call returns, except passes; it is written first, then the results, then the log. So a
 * run may end at any moment, and store_open can resume it from the journal. */
#pragma once

#include "results/log.h"
#include "results/recovery.h"
#include "results/times_file.h"

struct store {
    const char *out_path; /* borrowed; NULL: the results are in memory, without a log */
    struct out_file out;
    struct times_file times; /* if a suite keeps its times and the results are a plain file */
    struct text journal;     /* its name; "" for a device, which cannot be resumed */
    struct logs logs;
    struct recovery recovery; /* what the journal says, and the order of the suites */
    struct text kept;         /* the new name of an earlier result file; "" without one */
    struct text resumed;      /* to be written before the next block */
    struct text failed;       /* lines "LABEL why": suites that cannot be measured */
    struct text news;         /* lines for the user; the caller prints and releases them */
};

/* Begins a run, or resumes an unfinished one (recovery.h). A finished result file is first renamed
 * to the first unused name of out_path.1, .2, ... Nothing is changed before the log is open and
 * locked; a second run with the same log is refused (log.h). Result file, log and parameter file
 * must be different files. Of start, only these paths are used after it. Always release s. */
int store_open(struct store *s, const struct run_request *start, struct err *e);

/* Before store_end_suite: completes the suite's times; its notes get the fact TIMES, or nothing. */
int store_end_times(struct store *s, const char *label, struct text *notes, struct err *e);

/* Log LOG_SUITE_BEGIN before a suite is measured, LOG_SUITE_AGAIN before each further turn,
 * LOG_SUITE_PASS after a complete pass; then call store_end_suite with its block, or
 * store_fail_suite with the reason why it cannot be measured; and store_finish with the trailer at
 * the end of the run. A result file that was already finished keeps its trailer. */
int store_end_suite(struct store *s, const char *label, const char *block, struct err *e);
int store_fail_suite(struct store *s, const char *label, const char *why, struct err *e);

/* Replaces a line of the results (out.bytes) by a text of the same length. */
int store_verify(struct store *s, const char *line, const char *text, struct err *e);

/* merge: a merge with earlier runs follows; the journal records its begin, so that the next launch
 * completes an interrupted merge. */
int store_finish(struct store *s, const char *trailer, bool merge, struct err *e);

/* Removes the journal, after the merge was done or its failure was reported. */
int store_complete(struct store *s, struct err *e);

/* Adds a line to the journal, the log, or both (log.h), formatted as by printf. */
int store_log(struct store *s, enum log_keyword keyword, struct err *e, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

void store_release(struct store *s);
