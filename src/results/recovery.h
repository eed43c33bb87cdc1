/* How a start goes on from what an earlier one has left: decided from the texts of both files.
 * Pure.
 *
 * A suite is done if its block stands complete in the output file; whether the log knows does not
 * matter. What the log tells of one that is not: it crashed, it failed, or it was not begun. */
#ifndef SKAMPI_RESULTS_RECOVERY_H
#define SKAMPI_RESULTS_RECOVERY_H

#include "base/text.h"
#include "results/history.h"

/* The files as they are; a missing one is NULL. */
struct found {
    const char *log, *out; /* borrowed */
    size_t log_len, out_len;
};

enum out_fate { OUT_NONE, OUT_EMPTY, OUT_KEEP, OUT_RESUME };

/* What the log did not know of a suite. */
enum news { NEWS_NONE, NEWS_DONE, NEWS_CRASHED, NEWS_LOST };

struct recovery {
    /* The output file: there is none; an empty one that the log knows, which goes; results of
     * another run or anything else, which is kept under another name; or this run's. */
    enum out_fate fate;
    bool ended;          /* OUT_KEEP: a finished run with these parameters and processes */
    struct history past; /* what the log tells; with OUT_RESUME the states as they really are */
    size_t *order;       /* owned; indexes of the suites that are left, as they are measured */
    size_t left;

    /* OUT_RESUME */
    enum news *news; /* owned; per suite */
    size_t end;      /* bytes of the output file that stay */
    bool finished;   /* with trailer: nothing is left but to say so in the log, and to merge */
    bool merging;    /* finished, and the merge with earlier runs was interrupted ... */
    char *aside;     /* owned; ... when the file had this name instead of its own; or NULL */
    bool other_hosts;
    size_t done; /* suites */
};

/* Fails if this start must not go on with the output file; the message names the way out. Release r
 * in any case. */
int recovery_decide(struct recovery *r, const struct run_request *s, const struct found *f,
                    struct err *e);

/* Is there a suite that could not be measured, or whose turn has passed? */
bool recovery_is_spoilt(const struct recovery *r, const struct run_request *s);

/* In one line, what this start does: "resuming after 3 of 12 suites; crashed: a, b (...)". */
void recovery_tell(const struct recovery *r, const struct run_request *s, struct text *out);

void recovery_release(struct recovery *r);

#endif
