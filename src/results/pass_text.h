/* A pass of a suite as a line of the log: numbers that give exactly the same rows again. Pure. */
#pragma once

#include "results/block.h"

/* Adds the rows, without a line end. first_call_us: see struct block. */
void pass_add_text(struct text *out, const struct row *rows, size_t count, double first_call_us);

/* Read them from *at, which moves on, after the last row beyond the line end; false if the text is
 * damaged. The caller frees the row's node times in any case. */
bool pass_read_head(const char **at, size_t *count, double *first_call_us);
bool pass_read_row(const char **at, struct row *row);
