/* Several runs become one result file (manual 2.1.1 @POSTPROC, paper 4.3). */
#ifndef SKAMPI_MERGE_MERGE_H
#define SKAMPI_MERGE_MERGE_H

#include "merge/runs.h"

/* Writes the header of the first run, with the warnings of all, a field
 *
 *     #@POSTPROCESSED medians of 3 runs, ...; merged by ...
 *     # NAME DATE
 *
 * every suite that any run has (combine.h), a checksum and the trailer (checksum.h). Needs memory
 * for one suite of every run at a time. The caller checks whether out took it all. */
int merge_write(const struct runs *rs, const char *by, FILE *out, struct err *e);

/* "NAME DATE", as that field has it. */
void merge_add_origin(struct text *out, const struct past_run *run);

#endif
