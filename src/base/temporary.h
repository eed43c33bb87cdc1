/* Temporary files next to the file that they will replace. */
#ifndef SKAMPI_BASE_TEMPORARY_H
#define SKAMPI_BASE_TEMPORARY_H

#include "base/err.h"
#include "base/text.h"

/* Creates "PATH.KIND-xxxxxxxx" with eight hexadecimal digits that no other file has; adds the name
 * to name. Returns a descriptor for reading and writing, or -1. */
int temporary_create(const char *path, const char *kind, struct text *name, struct err *e);

/* Is this the name of such a file, of this kind and next to this path? Both without directories. */
bool temporary_has_name(const char *name, const char *path, const char *kind);

#endif
