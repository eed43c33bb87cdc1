/* Finds the complete blocks in the result file of an earlier run. Pure. */
#ifndef SKAMPI_RESULTS_BLOCKS_H
#define SKAMPI_RESULTS_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>

/* A complete block begins with comment lines, the last of which contains the suite's name between
 * "@in" and ".ski", and ends with the line "#eol". */
struct blocks {
    const char *bytes; /* borrowed */
    size_t len;
    size_t end; /* end of the header, or of the last block found */
};

/* Returns the label of the next complete block (borrowed, len_label bytes), or NULL. */
const char *blocks_next(struct blocks *b, size_t *len_label);

/* What follows the last block found: does the file end with the trailer? Does another complete
 * block follow after damaged lines? */
bool blocks_are_finished(const struct blocks *b);
bool blocks_are_damaged(const struct blocks *b);

/* Does the text end with the trailer of a finished result file, or of a merge? */
bool blocks_is_finished_text(const char *bytes, size_t len);
bool blocks_is_merged_text(const char *bytes, size_t len);

#endif
