/* Files, read whole and written so that they survive a crash. */
#ifndef SKAMPI_BASE_FILE_H
#define SKAMPI_BASE_FILE_H

#include "base/err.h"

#include <stddef.h>

/* Reads a file of at most limit bytes; *bytes is owned by the caller and has a NUL behind its
 * len bytes. Fails with the system's reason. */
int file_read(const char *path, size_t limit, char **bytes, size_t *len, struct err *e);

/* Opens for appending (creates), resp. creates anew. Returns a descriptor or -1. */
int file_open_append(const char *path, struct err *e);
int file_create(const char *path, struct err *e);

/* Writes all bytes, through short writes and interruptions, and brings them to the disk. */
int file_write_synced(int fd, const char *path, const char *bytes, size_t len, struct err *e);

#endif
