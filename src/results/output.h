/* skampi.out (manual 3.2): the text of its header, blocks and trailer. Pure; writing the text to
 * the disk is store.h's. */
#ifndef SKAMPI_RESULTS_OUTPUT_H
#define SKAMPI_RESULTS_OUTPUT_H

#include "base/text.h"
#include "results/block.h"

/* "#@NAME value"; the further lines of a value with several start with "# ". */
void output_field(struct text *out, const char *name, const char *value);

/* Separator, eight header lines, "#@TIMEOF" (what the times are times of),
 * "#@FIRSTCALL", notes, rows, "#eol". */
void output_block(struct text *out, const struct block *b);

void output_trailer(struct text *out);

#endif
