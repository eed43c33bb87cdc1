/* The directory of the files that suites access, from the beginning of a run to its end. */
#ifndef SKAMPI_SESSION_FILES_H
#define SKAMPI_SESSION_FILES_H

#include "base/complaints.h"
#include "session/session.h"

/* Collective: makes the directory, if a suite needs it. Rank 0 complains if a host cannot use it.
 */
int files_begin(struct session *s, struct complaints *c);

/* Removes it. */
void files_end(struct session *s);

/* For --check: warns if this host cannot use it; the hosts of a run may be others. */
void files_check(const struct params *p, struct complaints *c);

#endif
