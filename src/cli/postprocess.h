/* skampi --postprocess FILE... -o OUT */
#ifndef SKAMPI_CLI_POSTPROCESS_H
#define SKAMPI_CLI_POSTPROCESS_H

#include "cli/options.h"

/* Returns the exit status: 1 if the files cannot be read, do not belong together, or the result
 * cannot be written. */
int postprocess(const struct options *o);

#endif
