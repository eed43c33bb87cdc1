/* skampi --postprocess FILE... -o OUT */
#ifndef SKAMPI_CLI_POSTPROCESS_H
#define SKAMPI_CLI_POSTPROCESS_H

#include "cli/options.h"

/* Returns the exit status: 2 if a named file cannot be read, holds no run, or must not be written;
 * 1 if the runs differ too much to merge or the result cannot be written. */
int postprocess(const struct request *o);

#endif
