/* skampi --health: one launch that names the host, link, direction, pair or group of hosts that is
 * bad, before a job. */
#pragma once

#include "health/health.h"

struct session;

/* The steps of a run, instead of those of session.h between session_init and session_release.
 * Collective. Rank 0 prints the verdicts, or JSON, to standard output. 1: a file cannot be used;
 * -1: nothing could be measured. */
int health_run(struct session *s, enum health_state *state, struct err *e);
