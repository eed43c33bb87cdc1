/* Brings what is kept of the times of all repetitions (histogram, raw) to the file beside the
 * results. Each process writes its own row, so that no process holds the times of the others. */
#ifndef SKAMPI_PATTERNS_TIMES_HOME_H
#define SKAMPI_PATTERNS_TIMES_HOME_H

#include "context/run.h"
#include "results/times_file.h"
#include "stats/series.h"

/* Called by all processes that take part, after the series was sent home. label and file: at home
 * only; a file that is NULL or cannot be written gets nothing. -1: a process ran out of memory. */
int times_send_home(struct run *r, struct series *s, long argument, struct times_file *file,
                    struct err *e);

#endif
