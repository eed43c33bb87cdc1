/* What parameters and options say about a start (results/start.h). */
#ifndef SKAMPI_CLI_STARTING_H
#define SKAMPI_CLI_STARTING_H

#include "cli/options.h"
#include "params/params.h"
#include "results/start.h"

/* Fills in all but what the machine tells: header, facts, hosts and processes. p and o are
 * borrowed. Release in any case. */
int starting_init(struct start *s, const struct params *p, const struct options *o, struct err *e);
void starting_release(struct start *s);

#endif
