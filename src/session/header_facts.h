/* The header facts of a run: what was measured, where, and with what (manual 3.2). */
#ifndef SKAMPI_SESSION_HEADER_FACTS_H
#define SKAMPI_SESSION_HEADER_FACTS_H

#include "base/text.h"
#include "context/machine.h"
#include "params/params.h"
#include "hosts/warnings.h"
#include "results/history.h"

/* Rank 0 only. Adds fields "#@NAME value", with one "#@WARNING" for each warning. The environment
 * is that of rank 0. */
void facts_header(const struct machine *m, const struct params *p, const struct warnings *w,
                  struct text *out);

/* The order of the suites, unless it is that of the parameter file. */
void facts_shuffle(const struct run_request *start, struct text *out);

/* Adds the facts that may have changed when an unfinished run is resumed, as lines without names.
 */
void facts_resumed(const struct machine *m, const struct warnings *w, struct text *out);

/* Adds the trailer's facts: the largest residual of the global clock, how the time was spent, and
 * the line of late_fact.h. */
void facts_trailer(const struct machine *m, struct text *out);

#endif
