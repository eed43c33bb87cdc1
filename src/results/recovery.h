/* Decides how a launch continues an unfinished run, from the texts of its result file and log.
 * Pure.
 *
 * A suite is done if the result file has its complete block, whether or not the log has it as done.
 * For any other suite, the log says whether it crashed, failed, or was not begun. */
#pragma once

#include "results/history.h"

/* The content of the result file; NULL: it does not exist. Owned by recovery_load. */
struct found {
    char *out;
    size_t out_len;
};

enum out_fate { OUT_NONE, OUT_EMPTY, OUT_KEEP, OUT_RESUME };

struct recovery {
    /* The result file does not exist; is empty and announced by the log, and is removed; holds
     * another run or anything else, and is kept under another name; or holds this run. */
    enum out_fate fate;
    bool ended;          /* OUT_KEEP: a finished run with these parameters and processes */
    struct history past; /* state by the log; for OUT_RESUME corrected by the result file */
    size_t *order;       /* owned; indexes of the remaining suites, in the order to measure them */
    size_t left;

    /* OUT_RESUME */
    size_t end;    /* bytes of the result file that are kept */
    bool again;    /* suites with some of their visits follow, which the log has, too */
    bool finished; /* has a trailer: only the log's last lines, and the merge, are missing */
    bool merging;  /* finished, but its merge with earlier runs was interrupted ... */
    char *aside;   /* owned; ... while the file had this name; NULL: it has its own */
    bool other_hosts;
    size_t done; /* suites */
};

/* After r->past was read. Fails if this launch must not continue with the result file; the message
 * says what to do. Release r in any case. */
int recovery_decide(struct recovery *r, const struct run_request *s, const struct found *f,
                    struct err *e);

/* Has a suite failed, or has it been given up? */
bool recovery_has_failures(const struct recovery *r, const struct run_request *s);

/* Describes in one line what this launch does: "resuming: 3 of 12 suites done, 31 of 60
 * visits; crashed: a, b (retried last)". */
void recovery_describe(const struct recovery *r, const struct run_request *s, struct text *out);

void recovery_release(struct recovery *r);

/* Reads the files of an earlier launch and decides; changes nothing. log_fd is the open log; -1:
 * open it by its name, which drops a lock of this process; it need not exist. Always release r. */
int recovery_load(struct recovery *r, const struct run_request *s, int log_fd, struct err *e);

/* Does the open log have a line that is not a line of a log? */
bool recovery_log_is_damaged(int log_fd, const char *log_path);
