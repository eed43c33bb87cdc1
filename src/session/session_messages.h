/* What a run reports to the user on standard error, and to the log. Rank 0 only. */
#pragma once

#include "merge/postproc.h"
#include "session/session.h"

/* News about the user's files; printed even with --quiet. */
void session_print_news(struct session *s);

/* One line that describes how the run starts. That a run is resumed is printed even with --quiet,
 * because it affects the results. */
void session_print_start(const struct session *s, const struct run_request *start);

/* Warnings are printed even with --quiet, and written to the log together with those about the
 * parameter file. */
void session_print_warnings(const struct warnings *w);
int session_log_warnings(struct session *s, struct err *e);

/* Explains why the exit status will be 1, if there are rows without a result. */
void session_print_empty_rows(const char *label, const struct block *b);

/* Counts the rows of a block whose clocks were apart, and warns in the first suite that has some;
 * session_print_end prints how many there were, if there were more suites. Even with --quiet. */
void session_print_clocks(struct session *s, const char *label, const struct block *b);

/* Warns in the first suite whose processes had too little of the CPUs; without a label, at the end,
 * what share they got in the whole run. Even with --quiet. */
void session_print_contention(const struct session *s, const char *label);

/* Reports what happened to each file: in full in the log, in short to the user. */
int session_report_merge(struct session *s, struct merge_report *merged, struct err *e);

void session_print_end(struct session *s);
