/* The two files of a run: results and log. Only rank 0 has one. What is written is on the disk
 * before the call returns; a suite's block reaches the file in one piece, and the log says that
 * the suite is done only afterwards. */
#ifndef SKAMPI_RESULTS_STORE_H
#define SKAMPI_RESULTS_STORE_H

#include "base/err.h"

struct store {
    char *out_path; /* owned */
    char *log_path; /* owned */
    int out_fd;
    int log_fd;
};

/* Moves an output file that is there to the first free name out_path.1, .2, ..., creates a new one
 * with the header, and begins the run in the log. Nothing is touched before the log is open and
 * locked; a second run with the same log is refused (log.h). Neither file may be the other one or
 * the parameter file, whose path may be NULL. */
int store_open(struct store *s, const char *out_path, const char *log_path,
               const char *parameter_path, const char *header, struct err *e);

/* Before a suite is measured; behind it with its block, or with why it cannot be measured; at the
 * end of the run with the trailer. */
int store_begin_suite(struct store *s, const char *label, struct err *e);
int store_end_suite(struct store *s, const char *label, const char *block, struct err *e);
int store_fail_suite(struct store *s, const char *label, const char *why, struct err *e);
int store_finish(struct store *s, const char *trailer, struct err *e);

/* A line in the log for whoever reads it. */
int store_note(struct store *s, const char *text, struct err *e);

void store_release(struct store *s);

#endif
