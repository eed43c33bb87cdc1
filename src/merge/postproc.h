/* @POSTPROC: the end of a finished run (manual 2.1.1). */
#pragma once

#include "base/text.h"

/* The fate of the files found at the end of a run: for the log, in short for the user. */
struct merge_report {
    struct text each; /* a line for each file that is left out */
    size_t left_out;
    struct text result; /* lines about what was done, if anything */
};

/* Only the first line of why is reported. */
void merge_report_leave_out(struct merge_report *t, const char *path, const char *why);

/* Adds the first file that is left out, how many others are, and the result. */
void merge_report_summary(const struct merge_report *t, struct text *out);

void merge_report_release(struct merge_report *t);

/* Merges the finished run in out_path with those of out_path.1, .2, ... that are finished and
 * belong to the same machine, processes and parameters. The run is kept under the first free of
 * these names, and out_path becomes the merge. Without such runs, or if out_path is not a regular
 * file, nothing changes. An earlier merge made by this function is removed if all its runs exist.
 *
 * At every moment each run has a name, and out_path is a complete file; without hard links,
 * out_path may not exist for a moment. report gets each file found; always release it. */
int postproc_finish(const char *out_path, struct merge_report *report, struct err *e);
