/* skampi --status: what is done and left of the run in this directory. */
#ifndef SKAMPI_CLI_STATUS_H
#define SKAMPI_CLI_STATUS_H

#include "cli/options.h"
#include "params/params.h"

enum { STATUS_COMPLETE = 0, STATUS_REFUSED = 1, STATUS_UNFINISHED = 3 };

/* Prints what a start with these parameters would find; returns the exit status: one of the above.
 * Refuses what such a start would refuse, and files that cannot be read. */
int status_print(const struct params *p, const struct request *o);

#endif
