/* skampi.out (manual 3.2): the text of its blocks. Pure; writing the text to
 * the disk is store.h's. */
#ifndef SKAMPI_RESULTS_OUTPUT_H
#define SKAMPI_RESULTS_OUTPUT_H

#include "base/text.h"
#include "results/block.h"

/* Separator, eight header lines, "#@TIMEOF" (what the times are times of),
 * "#@FIRSTCALL", notes, rows, "#eol". */
void output_block(struct text *out, const struct block *b);

#endif
