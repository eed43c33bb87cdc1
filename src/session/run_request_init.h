/* Makes the request for a run (results/run_request.h) from the parameters and options. */
#ifndef SKAMPI_SESSION_RUN_REQUEST_INIT_H
#define SKAMPI_SESSION_RUN_REQUEST_INIT_H

#include "base/err.h"
#include "session/request.h"
#include "params/params.h"
#include "results/run_request.h"

/* Fills in everything except what depends on the machine: header, facts, hosts and processes. p and
 * o are borrowed. Release in any case. */
int run_request_init(struct run_request *s, const struct params *p, const struct request *o,
                     struct err *e);
void run_request_release(struct run_request *s);

#endif
