/* Rows in the layout of the benchmark by whose definition a suite was measured (key as). Pure. */
#pragma once

#include "model/others.h"
#include "results/block.h"

/* Adds the lines before the rows: what is measured, how it differs from a suite without the key,
 * and the titles of the columns. Only for a suite with as=osu or imb. */
void as_add_head(struct text *out, const struct suite *s);

/* Adds a row of such a suite, measured on a number of processes. */
void as_add_row(struct text *out, const struct suite *s, int processes, const struct row *row);
