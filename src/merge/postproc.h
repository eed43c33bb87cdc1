/* @POSTPROC: the end of a finished run (manual 2.1.1). */
#pragma once

#include "base/text.h"

/* The fate of the files found at the end of a run: each for the log, in short for the user. */
enum became { FILE_IS_LEFT_OUT, FILE_IS_REMOVED };

/* A reason that applies to some files. */
struct merge_reason {
    enum became became;
    struct text why;  /* one line */
    struct text path; /* of the first of them */
    size_t files;
};

enum { REASONS_SHOWN = 3 };

struct merge_report {
    struct text each;                               /* a line for each file */
    struct merge_reason reasons[REASONS_SHOWN + 1]; /* with one for removed files */
    size_t count, left_out;                         /* of reasons; of those that leave out */
    size_t more;                                    /* files that are left out for other reasons */
    struct text result;                             /* a line, if any */
};

/* Only the first line of why is reported. All files that are removed are so for the same reason. */
void merge_report_add(struct merge_report *t, const char *path, enum became how, const char *why);

/* Lines for removed files, for each of the first reasons, for the rest, and the result. */
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
