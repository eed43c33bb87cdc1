/* What parameters and options say about a start (results/run_request.h). */
#ifndef SKAMPI_SESSION_RUN_REQUEST_INIT_H
#define SKAMPI_SESSION_RUN_REQUEST_INIT_H

#include "session/request.h"
#include "params/params.h"
#include "results/run_request.h"

/* Fills in all but what the machine tells: header, facts, hosts and processes. p and o are
 * borrowed. Release in any case. */
int starting_init(struct start *s, const struct params *p, const struct request *o, struct err *e);
void starting_release(struct start *s);

#endif
