/* Moves a file of an earlier run out of the way. */
#ifndef SKAMPI_RESULTS_ROTATE_H
#define SKAMPI_RESULTS_ROTATE_H

#include "base/err.h"
#include "base/text.h"

/* Renames a file to the first unused name of path.1, path.2, ..., which is returned in kept. Never
 * overwrites a file, even if other programs create files there at the same time; the file has one
 * of both names at every moment. Completes an interrupted move. */
int rotate_file(const char *path, struct text *kept, struct err *e);

/* The same, and renames from to path. On a file system with hard links, path names a complete file
 * at every moment (move.h). */
int rotate_replace(const char *from, const char *path, struct text *kept, struct err *e);

#endif
