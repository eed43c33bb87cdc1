/* What happened to the files that the end of a run found: each for the log, and a summary for the
 * user, who may have many old ones. */
#pragma once

#include "base/text.h"

enum became { FILE_IS_LEFT_OUT, FILE_IS_REMOVED };

struct merge_report_file {
    char *path; /* owned */
    char *why;  /* owned; one line */
    enum became became;
    bool shown;
};

struct merge_report {
    struct merge_report_file *files; /* owned */
    size_t count, capacity;
    struct text result; /* a line, if any */
    bool failed;        /* out of memory: something is missing */
};

/* Only the first line of why is reported. */
void merge_report_add(struct merge_report *t, const char *path, enum became became,
                      const char *why);

/* A line for each file, and the result. */
void merge_report_all(const struct merge_report *t, struct text *out);

/* A line for what is removed and for each of the first reasons, one for the rest, and the result.
 */
void merge_report_summary(struct merge_report *t, struct text *out);

void merge_report_release(struct merge_report *t);
