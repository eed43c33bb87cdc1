/* The result file while a run writes it; without a path, the results are in memory only. If another
 * program removes, replaces or changes the file, this is detected: the other program's file is kept
 * under another name, and all results so far are written again from a copy in memory. */
#pragma once

#include "base/text.h"

struct out_file {
    const char *path;    /* borrowed; NULL: in memory only */
    int fd;              /* -1: not open */
    bool plain;          /* else a device, which stores nothing */
    struct text bytes;   /* the content of the plain file */
    struct text changed; /* message for the user: what another program did to the file */
};

/* The content that a file should have, from the journal; borrowed. */
struct out_expected {
    const char *text;
    size_t visits_len; /* after it, an end that is removed: */
    uint64_t visits_hash;
};

/* Opens a file and makes it hold the text, or creates it, or opens a device and adds the text. A
 * beginning of the text is completed; any other file is kept under another name. Leaves no new file
 * after an error. */
int out_file_open(struct out_file *f, const char *path, const struct out_expected *x,
                  struct err *e);

/* Appends the text, or nothing, and syncs it to the disk. If the name no longer leads to the file,
 * or the length of the file has changed, the file is first written again. */
int out_file_append(struct out_file *f, const char *text, struct err *e);

/* Replaces a part of a plain file by a text of the same length. Not synced. */
int out_file_replace(struct out_file *f, size_t at, const char *text, struct err *e);

/* Compares the whole file, writes it again if it was changed, and closes it. */
int out_file_close(struct out_file *f, struct err *e);

/* Closes the file without checking it. */
void out_file_release(struct out_file *f);
