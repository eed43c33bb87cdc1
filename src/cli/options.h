/* The command line: options_read fills in the request that the others get. */
#pragma once

#include "session/request.h"

/* Returns 0, or -1 with the problem and the remedy. The strings are borrowed from argv. */
int options_read(struct request *o, int argc, char **argv, struct err *e);

void options_help(struct text *out);

/* Adds the options as the list "options" of the catalogue. */
void options_catalog(struct text *out);

/* The number of this process among those that a launcher started, before MPI_Init; 0 without a
 * launcher. Only process 0 should print. */
int launcher_rank(void);
