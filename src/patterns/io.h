/* Measuring operations that access a file, in any pattern: init has opened it. */
#pragma once

#include "patterns/pattern.h"

/* Before a series: writes what will be read. After it: -1 if rc is, or a call failed on any
 * process. Collective. */
int file_begin(struct run *r, const struct op *op, struct err *e);
int file_end(struct run *r, int rc, struct err *e);

/* The fact of a suite's block: where the files are, and what repetitions find in the page cache. */
void file_note(const struct run *r, struct text *out);
