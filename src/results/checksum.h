/* The checksum of a merge, by which skampi detects that the file was edited. */
#ifndef SKAMPI_RESULTS_CHECKSUM_H
#define SKAMPI_RESULTS_CHECKSUM_H

#include "base/text.h"

#include <stdint.h>

/* Adds the last two lines of a merge, "#@CHECKSUM xxxxxxxxxxxxxxxx" and the trailer. hash is the
 * hash_bytes() of everything before these lines. */
void checksum_add(struct text *out, uint64_t hash);

enum checksum { CHECKSUM_RIGHT, CHECKSUM_WRONG, CHECKSUM_MISSING };

/* Is the file exactly what was written? CHECKSUM_MISSING also means a merge of a version
 * before 4.2, or a file that cannot be read. */
enum checksum checksum_of_file(const char *path);

#endif
