/* Decides how a launch goes on, from the journal alone: an unfinished run is continued, and its
 * result file is made what the journal says (out_file.h); without a run in the journal, a new one
 * begins. A result file without a journal is finished, as its end says, or refused. */
#pragma once

#include "results/journal.h"
#include "results/out_file.h"

struct recovery {
    struct journal past;
    bool resumes;  /* the journal's run continues; otherwise a new one begins */
    bool keeps;    /* a result file gets another name first */
    bool damaged;  /* the journal, which a fresh start keeps under another name, too */
    bool merged;   /* the result file is the complete merge of the journal's run */
    size_t *order; /* owned; indexes of the remaining suites, in the order to measure them */
    size_t left, done;
    bool other_hosts;
    const char *crashed; /* label of the suite in which the run ended; borrowed; or NULL */
};

/* Reads journal and result file and decides; changes nothing. journal_fd is the open journal; -1:
 * open it by its name, which drops a lock of this process; it need not exist. Fails if this launch
 * must not continue; the message says what to do. Release r in any case. */
int recovery_load(struct recovery *r, const struct run_request *s, int journal_fd, struct err *e);

/* The content of the result file, from the journal; borrowed. */
struct out_expected recovery_expected(const struct recovery *r);

/* Lists what is left to be measured; past may have been changed since. */
void recovery_plan(struct recovery *r, const struct run_request *s);

/* For --status: is the result file a finished one without a journal? Then past has its suites. */
int recovery_read_finished(struct recovery *r, const struct run_request *s, bool *finished,
                           struct err *e);

/* Has a suite failed, or has it been given up? */
bool recovery_has_failures(const struct recovery *r, const struct run_request *s);

/* Describes in one line what this launch does: "resuming: 3 of 12 suites done, 31 of 60
 * visits; crashed: a, b (retried last)". */
void recovery_describe(const struct recovery *r, const struct run_request *s, struct text *out);

void recovery_release(struct recovery *r);
