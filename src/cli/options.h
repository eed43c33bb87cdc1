/* The command line. */
#ifndef SKAMPI_CLI_OPTIONS_H
#define SKAMPI_CLI_OPTIONS_H

#include "base/err.h"
#include "base/markup.h"
#include "session/request.h"

/* Returns 0, or -1 with what is wrong and what to do. The strings are borrowed from argv. */
int options_read(struct request *o, int argc, char **argv, struct err *e);

/* The help; for documents the options only: LaTeX rows \skampioption{letter}{name}{value}{text}, or
 * the items of a POD list. */
void options_help(struct text *out, enum markup markup);

/* The number of this process among those that a launcher started, before MPI_Init; 0 without a
 * launcher. Only process 0 should print. */
int launcher_rank(void);

#endif
