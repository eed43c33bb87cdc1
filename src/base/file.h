/* Files, read whole and written so that they survive a crash. */
#pragma once

#include "base/text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Makes writes beyond a size limit, or into a pipe without reader, fail with an error: by default a
 * signal ends the process. Call once, at the start. */
void file_report_limits(void);

/* Lets the owner read and write new files, whatever the umask: a next start needs it. Call once. */
void file_own_new_files(void);

/* Files that another program or user may have placed, under a name that skampi uses:
 * a link, a pipe, a device. To read: a regular one of any owner, also through a link (flags: 0 or
 * O_NOFOLLOW). Returns a descriptor or stream of the caller's, or fails without waiting. */
int file_open_read(const char *path, int flags, struct err *e);
FILE *file_stream_read(const char *path, struct err *e);

/* To read and write: a regular one of this user, or with O_CREAT in flags a new one; never through
 * a link. */
int file_open_own(const char *path, int flags, mode_t mode, struct err *e);

/* To append to a device that the user names, or perhaps to a pipe that a program reads. */
int file_open_stream(const char *path, bool may_be_pipe, struct err *e);

/* Reads a regular file of at most limit bytes (see file_open_read) into an empty text; it remains
 * empty after an error. Fails with the system's reason. */
int file_read(const char *path, size_t limit, struct text *all, struct err *e);

/* Like file_read, for standard input, up to its end. */
int file_read_input(size_t limit, struct text *all, struct err *e);

/* Like file_read, for an open file: another descriptor would lose the file's lock. */
int file_read_open(int fd, const char *path, size_t limit, struct text *all, struct err *e);

/* Flushes standard output, also into a file; fails if any of it could not be written. */
int file_flush_output(struct err *e);

/* The path without its directory, borrowed; adds that directory, as "DIRECTORY/.". */
const char *file_name(const char *path);
void file_add_directory(const char *path, struct text *out);

/* Writes all bytes, despite short writes and interruptions, and syncs them to the disk. */
int file_write_synced(int fd, const char *path, const char *bytes, size_t len, struct err *e);

/* Appends all bytes, unsynced; adds nothing on an error, if the file can be truncated. */
int file_append(int fd, const char *path, const char *bytes, size_t len, struct err *e);

/* Syncs all earlier writes to the disk. */
int file_sync(int fd, const char *path, struct err *e);

/* Truncates an open file to a number of bytes, and syncs it. */
int file_cut(int fd, const char *path, size_t len, struct err *e);

/* Syncs new and changed names in the file's directory. Some file systems cannot, and need not. */
int file_sync_directory(const char *path, struct err *e);

/* Can names in the file's directory change? Fails with "cannot write" the file. */
int file_check_directory(const char *path, struct err *e);

/* Can a file be written there: one that exists and is no directory, or a new one? */
int file_check_output(const char *path, struct err *e);

/* A number that differs between calls with other numbers, processes, hosts or moments. */
uint32_t file_random_number(int try);

/* Temporary files next to the file that they will replace. Creates "PATH.KIND-xxxxxxxx" with eight
 * hexadecimal digits that no other file has; adds the name to name. Returns a descriptor for
 * reading and writing, or -1. */
int temporary_create(const char *path, const char *kind, struct text *name, struct err *e);

/* Creates one with this content, which is on the disk then. A failure leaves no file. */
int temporary_write(const char *path, const char *kind, const struct text *content,
                    struct text *name, struct err *e);

/* Replaces the file, or creates it: at every moment it has all of the text, or what it had. */
int file_replace(const char *path, const struct text *text, struct err *e);

/* Is this the name of such a file, of this kind and next to this path? Both without directories. */
bool temporary_has_name(const char *name, const char *path, const char *kind);

/* Is it a regular file, not a link to one? */
bool file_is_plain(const char *path);

/* Do both names lead to one file? A link and its target are not the same. */
bool file_same(const char *a, const char *b);

/* Does the name still lead to the open file or directory, which own then describes? */
bool file_is_named(int fd, const char *path, struct stat *own);

/* Renames, but never onto an existing file (EEXIST); at every moment the file has one of both
 * names. A link that exists already and is the same file comes from a move that was interrupted, or
 * from an answer lost by NFS: the move is completed. 0; or -1 and errno. */
int move_to_free_name(const char *from, const char *to);

/* Renames from to to, whose file is kept as aside; aside must be free or the same file already. At
 * every moment a complete file has the name to; on file systems without hard links, none has it for
 * a moment. 0; or -1 and errno: EEXIST means that aside is taken. */
int move_into_place(const char *from, const char *to, const char *aside);
