/* The cache lines of an application's arrays that hold what it sends. */
#ifndef SKAMPI_CONTEXT_APPLICATION_SENT_H
#define SKAMPI_CONTEXT_APPLICATION_SENT_H

#include "context/sent.h"
#include "model/applications.h"

/* Replaces s, which sent_rewrite uses on the arrays' memory; it starts at a cache line. */
int application_sent_find(struct sent *s, const struct application_message *m, struct err *e);

#endif
