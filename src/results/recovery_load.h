/* What an earlier start has left: reads the files and decides what to do with them, changes
 * nothing. */
#ifndef SKAMPI_RESULTS_RECOVERY_LOAD_H
#define SKAMPI_RESULTS_RECOVERY_LOAD_H

#include "results/recovery.h"

/* Reads both files and decides (recovery.h). log_fd is the open log; -1: it is read by its name,
 * which drops a lock, and need not be there. Release r in any case. */
int recovery_load(struct recovery *r, const struct run_request *s, int log_fd, struct err *e);

/* Has the open log a line that is none? */
bool recovery_log_is_damaged(int log_fd, const char *log_path);

#endif
