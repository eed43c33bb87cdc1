/* Files, read whole and written so that they survive a crash. */
#ifndef SKAMPI_BASE_FILE_H
#define SKAMPI_BASE_FILE_H

#include "base/err.h"

#include <stddef.h>

/* Lets writes beyond a size limit, or into a pipe that nobody reads, fail as others do: by default
 * a signal ends the process. Once, at the start. */
void file_report_limits(void);

/* Lets the owner of new files read and write them, whatever the umask says: the next start has to.
 * Once, at the start. */
void file_own_new_files(void);

/* Reads a file of at most limit bytes; *bytes is owned by the caller and has a NUL behind its
 * len bytes. Fails with the system's reason. */
int file_read(const char *path, size_t limit, char **bytes, size_t *len, struct err *e);

/* The same for a file that is open, from its beginning; for one whose lock would go with another
 * descriptor. */
int file_read_open(int fd, const char *path, size_t limit, char **bytes, size_t *len,
                   struct err *e);

/* Opens for appending (creates), resp. creates anew, to be read as well. Returns a descriptor or
 * -1.
 */
int file_open_append(const char *path, struct err *e);
int file_create(const char *path, struct err *e);

/* Writes all bytes, through short writes and interruptions, and brings them to the disk. */
int file_write_synced(int fd, const char *path, const char *bytes, size_t len, struct err *e);

/* The same at the end of the file, and all of it or, where a file can be cut, nothing. */
int file_append_synced(int fd, const char *path, const char *bytes, size_t len, struct err *e);

/* Cuts an open file to so many bytes, which is on the disk then, too. */
int file_cut(int fd, const char *path, size_t len, struct err *e);

/* Makes new and changed names in the file's directory last. Some file systems cannot, and need not,
 * sync a directory. */
int file_sync_directory(const char *path, struct err *e);

/* Can names change in the file's directory? Fails with "cannot write" the file. */
int file_check_directory(const char *path, struct err *e);

#endif
