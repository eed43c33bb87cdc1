/* Moves a file of an earlier run out of the way. */
#ifndef SKAMPI_RESULTS_ROTATE_H
#define SKAMPI_RESULTS_ROTATE_H

#include "base/err.h"
#include "base/text.h"

/* Renames a file to the first free of path.1, path.2, ..., which is told in kept. No file is ever
 * overwritten, whoever else is creating names there, and at every moment the file has one of both
 * names. A move that was interrupted is completed. */
int rotate_file(const char *path, struct text *kept, struct err *e);

/* The same, and the file from takes its place; where the file system has hard links, at every
 * moment something whole has the name path (move.h). */
int rotate_replace(const char *from, const char *path, struct text *kept, struct err *e);

#endif
