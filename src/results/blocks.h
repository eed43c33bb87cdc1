/* The contents of an earlier run's result file: complete blocks, trailer, checksum of a merge. */
#pragma once

#include "results/fact.h"

enum { OUT_LONGEST = 1 << 30 }; /* bytes of a result file that are read */

/* A complete block begins with comment lines, the last of which contains the suite's name between
 * "@in" and ".ski", and ends with the line "#eol". */
struct blocks {
    const char *bytes; /* borrowed */
    size_t len;
    size_t end;   /* end of the header, or of the last block found */
    size_t begin; /* of that block */
};

/* Returns the label of the next complete block (borrowed, len_label bytes), or NULL. */
const char *blocks_next(struct blocks *b, size_t *len_label);

/* The line of this fact in the last block found; NULL without it. */
const char *blocks_line(const struct blocks *b, enum fact f);

/* The trailer of a finished result file, after which a user may have added lines. */
enum trailer { TRAILER_MISSING, TRAILER_OF_RUN, TRAILER_OF_MERGE };
enum trailer blocks_trailer(const char *bytes, size_t len);

/* The checksum of a merge shows whether the file was edited. Adds the last two lines of a merge,
 * "#@CHECKSUM xxxxxxxxxxxxxxxx" and the trailer. hash is the hash_bytes() of all before. */
void checksum_add(struct text *out, uint64_t hash);

enum checksum { CHECKSUM_RIGHT, CHECKSUM_WRONG, CHECKSUM_MISSING };

/* Is the file exactly as it was written? CHECKSUM_MISSING also means a merge of a version before
 * 4.2, or a file that cannot be read. */
enum checksum checksum_of_file(const char *path);
