/* The complete blocks of an output file that a run has left. Pure. */
#ifndef SKAMPI_RESULTS_BLOCKS_H
#define SKAMPI_RESULTS_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>

/* A complete block begins with comment lines, the last of which has the suite's name between "@in"
 * and
 * ".ski", and ends with the line "#eol". */
struct blocks {
    const char *bytes; /* borrowed */
    size_t len;
    size_t end; /* of the header or of the last block that was found */
};

/* The next block's label, which is borrowed and len_label long; NULL if no complete one follows. */
const char *blocks_next(struct blocks *b, size_t *len_label);

/* Behind the last block that was found: is there the trailer, or another complete block somewhere
 * behind what is none? */
bool blocks_are_finished(const struct blocks *b);
bool blocks_are_damaged(const struct blocks *b);

/* Does a text end as a finished output file does? */
bool blocks_end(const char *bytes, size_t len);
bool blocks_end_merged(const char *bytes, size_t len);

#endif
