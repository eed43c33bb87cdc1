/* Reads the files of an earlier launch and decides what to do with them; changes nothing. */
#ifndef SKAMPI_RESULTS_RECOVERY_LOAD_H
#define SKAMPI_RESULTS_RECOVERY_LOAD_H

#include "results/recovery.h"

/* Reads both files and decides (recovery.h). log_fd is the open log; -1: open the log by its name,
 * which drops a lock of this process; it need not exist. Release r in any case. */
int recovery_load(struct recovery *r, const struct run_request *s, int log_fd, struct err *e);

/* Does the open log have a line that is not a line of a log? */
bool recovery_log_is_damaged(int log_fd, const char *log_path);

#endif
