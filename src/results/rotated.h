/* The files of earlier runs, PATH.1, PATH.2, ..., and those that interrupted launches left. */
#pragma once

#include "base/text.h"

struct rotated {
    long *numbers; /* owned; ascending */
    size_t count, capacity;
};

/* Finds them in the directory of path. */
int rotated_find(struct rotated *k, const char *path, struct err *e);

/* Removes one from the list. */
void rotated_remove(struct rotated *k, const char *path);

/* The smallest number from 1 on that is free. */
long rotated_first_free(const struct rotated *k);

void rotated_release(struct rotated *k);

/* Moves a file of an earlier run out of the way: renames it to the first unused name of path.1,
 * path.2, ..., which is returned in kept. Never overwrites a file, even if other programs create
 * files there at the same time; the file has one of both names at every moment. Completes an
 * interrupted move. Then renames from to path, unless it is NULL; on a file system with hard links,
 * path then names a complete file at every moment (move_into_place). */
int rotate_file(const char *from, const char *path, struct text *kept, struct err *e);

/* Holds the plain file the text, or only the first bytes of it, least of them? */
bool rotated_holds(const char *path, const struct text *all, size_t least);

/* Removes the temporary files of this kind next to path (temporary_create) that hold nothing new: a
 * prefix of this text, which another file holds, or a complete merge with the right checksum.
 * Other files are kept, and so is the file named except, which may be NULL. */
void leftovers_remove(const char *path, const char *kind, const char *except,
                      const struct text *all);
