/* The file beside the results with the times of all repetitions (times_text.h), on rank 0 only. It
 * is "RESULTS.times-xxxxxxxx", and a block of the results names it with the place, length and hash
 * of its own times. So neither renaming the results nor merging them touches it, and whatever a
 * killed run left in it counts for nothing: a block is on the disk before the results name it. */
#pragma once

#include "base/text.h"

struct suite;

struct times_file {
    const char *results; /* path of the result file; borrowed; NULL: nothing is written */
    struct text path;
    int fd;
    long long end;       /* of the last complete block */
    long long len;       /* bytes of the current block; 0: none was begun */
    uint64_t hash;       /* of the current block */
    struct err wrong;    /* the first error of the current block */
    struct text changed; /* a message: how another program changed the file */
};

/* Creates a file, or continues the one with this end of its name after the last block that the text
 * of the results names. */
int times_file_create(struct times_file *f, const char *results, struct err *e);
int times_file_resume(struct times_file *f, const char *results, const char *name_end,
                      const char *text, struct err *e);

/* The end of the file's name, after the path of the results and '.'. */
const char *times_file_name_end(const struct times_file *f);

/* Adds to the current block of a suite; begins it. An error is reported by times_file_end. */
void times_file_add(struct times_file *f, const struct suite *s, const char *bytes, size_t len);

/* Completes the block, if there is one, and syncs it. notes: get the fact TIMES, or nothing. */
int times_file_end(struct times_file *f, struct text *notes, struct err *e);

/* Drops the current block. */
void times_file_drop(struct times_file *f);

void times_file_release(struct times_file *f);
