/* Reads a text file line by line, in bounded memory. */
#ifndef SKAMPI_RESULTS_LINES_H
#define SKAMPI_RESULTS_LINES_H

#include "base/err.h"
#include "base/text.h"

#include <stdio.h>

/* Enough for the node times of a million processes. */
enum { LINE_LONGEST = 16 * 1024 * 1024 };

struct lines {
    const char *path; /* borrowed */
    FILE *file;       /* owned */
    struct text text; /* the current line, without its line end ("\n" or "\r\n") */
    size_t number;    /* of the current line, from 1 */
    long long offset; /* of its first byte */
    long long next;   /* of the next line */
    bool torn;        /* the last line has no line end */
    bool too_long;    /* bytes beyond LINE_LONGEST are skipped */
};

/* Accepts only plain files: others cannot be read twice. */
int lines_open(struct lines *l, const char *path, struct err *e);

/* 1: a line; 0: the end of the file; -1: e is set. */
int lines_next(struct lines *l, struct err *e);

/* Continues reading at this line. */
int lines_seek(struct lines *l, long long offset, size_t number, struct err *e);

void lines_release(struct lines *l);

#endif
