/* What the output's header says of a run: what was measured where, and with what (manual 3.2). */
#ifndef SKAMPI_SESSION_HEADER_FACTS_H
#define SKAMPI_SESSION_HEADER_FACTS_H

#include "base/text.h"
#include "context/machine.h"
#include "params/params.h"
#include "hosts/warnings.h"

/* Rank 0 only. Fields "#@NAME value", "#@WARNING" once for each; the environment is that of
 * rank 0. */
void facts_header(const struct machine *m, const struct params *p, const struct warnings *w,
                  struct text *out);

/* What may be another than in the header where an unfinished output file goes on; lines without
 * names. */
void facts_resumed(const struct machine *m, const struct warnings *w, struct text *out);

/* Behind the last suite: the largest residual of the global clock, and where the time went; the
 * latter also as it stands there. */
void facts_trailer(const struct machine *m, struct text *out);
void facts_shares(const struct machine *m, struct text *out);

#endif
