/* The text of a block of skampi.out (manual 3.2). Pure: store.h writes the text to the disk. */
#ifndef SKAMPI_RESULTS_OUTPUT_H
#define SKAMPI_RESULTS_OUTPUT_H

#include "base/text.h"
#include "results/block.h"

/* Adds the separator, eight header lines, "#@START" and "#@TIME", "#@TIMEOF" (the definition of the
 * times), "#@FIRSTCALL", notes, rows, "#eol". */
void output_block(struct text *out, const struct block *b);

#endif
