/* Puts a merge into a file: first under a temporary name, so that the file with the final name is
 * always complete. */
#pragma once

#include "merge/runs.h"

/* The kind of their temporary files (temporary.h). */
#define MERGE_KIND "merge"

/* Writes the merge to the disk, next to path. temporary gets its name; after a failure no such file
 * exists. */
int mergefile_prepare(const struct runs *rs, const char *by, const char *path,
                      struct text *temporary, struct err *e);

/* Renames it. Without overwrite it fails if the name is taken. If this fails, the prepared file is
 * removed. */
int mergefile_put(const char *temporary, const char *path, bool overwrite, struct err *e);

/* The same for a path whose file is kept as aside (move.h). */
int mergefile_replace(const char *temporary, const char *path, const char *aside, struct err *e);

/* Into something that is not a regular file, and remains open. */
int mergefile_stream(const struct runs *rs, const char *by, FILE *out, const char *name,
                     struct err *e);
