/* skampi --selftest: does this machine measure right? Delays of a known length must appear in the
 * times of calls, and data must arrive as they were sent. */
#pragma once

#include "base/text.h"

struct session;

enum selftest_verdict { SELFTEST_PASSED, SELFTEST_UNKNOWN, SELFTEST_FAILED };

/* The steps of a run, instead of those of session.h between session_init and session_release; with
 * @VERIFY only, after session_read: then only the data of the suites are tested, nothing is kept.
 * Collective. Rank 0 prints a table and keeps the verdict. Returns it; -1: the test cannot be made.
 */
int selftest_run(struct session *s, struct err *e);

/* "passed" */
extern const char *const selftest_verdicts[];

/* The verdict for this host is a line in a file of the user's cache, "passed, 2026-11-23". keep
 * replaces it. add adds it to a text, if it is such a line, and at most 90 days old. Rank 0. */
int selftest_keep(enum selftest_verdict verdict, struct err *e);
void selftest_add(struct text *value);
