/* All errors of a source text, each with its place, shown together:
 *
 *     FILE:LINE:COLUMN: what is wrong
 *         the line
 *           ^
 */
#pragma once

#include "base/text.h"

struct source {
    const char *name;  /* as the user knows the file; borrowed */
    const char *bytes; /* borrowed */
    size_t len;
};

struct complaint {
    size_t offset; /* of the first byte concerned */
    bool warning;  /* the file can be used nevertheless */
    char *text;    /* owned */
};

struct complaints {
    struct complaint *list; /* owned; in the order of the text */
    size_t count, capacity;
    size_t errors;  /* how many were errors, whether kept or not */
    size_t dropped; /* found after the list was full */
    bool hidden;    /* the text is that of a file that a parameter file names: do not quote it */
    /* A text that words on a command line mean: the line, and the text with marks of the places in
     * the line that its parts are from. Complaints show these. NULL: they show the text. */
    const char *line, *marked;
    size_t own; /* what follows after this many bytes of a file is that of --set; 0: nothing */
};

/* After the byte order mark. */
size_t source_begin(const struct source *s);

/* Equal words for the same place are kept once. All functions that add an error return -1. */
int complaints_add(struct complaints *c, size_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void complaints_warn(struct complaints *c, size_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "unknown KIND 'NAME', did you mean 'NEAREST'?", or with NULL "unknown KIND 'NAME'" and hint. */
int complaints_add_unknown(struct complaints *c, size_t offset, const char *kind, const char *name,
                           const char *nearest, const char *hint);

/* Prints all of them. Lines and columns (in characters) count from 1; a tab is one character, a
 * byte order mark at the beginning none; a place after the end is the end. Control characters are
 * printed as '?', and of a long line only the part around the place. */
void complaints_print(const struct complaints *c, const struct source *s, FILE *out);

/* Adds the warnings in the same order, a line each, without the lines of the text. */
void complaints_add_warnings(const struct complaints *c, const struct source *s, struct text *out);

void complaints_release(struct complaints *c);

/* Adds the mark of a place in the line; adds a text without its marks. */
void complaints_add_mark(struct text *out, size_t at);
void complaints_add_unmarked(struct text *out, const char *marked);
