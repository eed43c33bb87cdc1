/* A merge says what its bytes are, so that it can be told from one that somebody edited. */
#ifndef SKAMPI_RESULTS_CHECKSUM_H
#define SKAMPI_RESULTS_CHECKSUM_H

#include "base/text.h"

#include <stdint.h>

/* Adds the last two lines of a merge, "#@CHECKSUM xxxxxxxxxxxxxxxx" and the trailer. hash is the
 * hash_bytes() of everything before them. */
void checksum_add(struct text *out, uint64_t hash);

enum checksum { CHECKSUM_RIGHT, CHECKSUM_WRONG, CHECKSUM_MISSING };

/* Is the file byte for byte what was written? It is missing in merges before version 4.2, and where
 * the file cannot be read. */
enum checksum checksum_of_file(const char *path);

#endif
