/* The output file while a run writes it. Other programs may remove, replace or change it meanwhile:
 * that is noticed, what they left is kept under another name, and all that was written is put into
 * its place again. For this purpose a copy is held in memory. */
#ifndef SKAMPI_RESULTS_OUT_FILE_H
#define SKAMPI_RESULTS_OUT_FILE_H

#include "base/err.h"
#include "base/text.h"

struct out_file {
    const char *path;  /* borrowed */
    int fd;            /* -1: not open */
    bool plain;        /* else a device, which takes all and keeps nothing */
    struct text bytes; /* what the plain file holds */
    struct text
        changed; /* a line for the user: the file was changed by others, and what was done */
};

/* Creates a file that must not exist, or opens a device. With an error there is no new file. */
int out_file_create(struct out_file *f, const char *path, const char *header, struct err *e);

/* Opens a file of which the first end bytes stay. If there are more, all of it is kept under
 * another name before they go. */
int out_file_resume(struct out_file *f, const char *path, size_t end, struct err *e);

/* Appends the text, or nothing, and brings it to the disk. If the name does not lead to the file
 * any more, or the file has another length, it is written anew before. An error says where the
 * results are. */
int out_file_append(struct out_file *f, const char *text, struct err *e);

/* Compares the whole file, writes it anew if it was changed, and closes it. */
int out_file_close(struct out_file *f, struct err *e);

/* Closes without further ado. */
void out_file_release(struct out_file *f);

#endif
