/* A text file line by line, in memory that does not depend on its content. */
#ifndef SKAMPI_RESULTS_LINES_H
#define SKAMPI_RESULTS_LINES_H

#include "base/err.h"
#include "base/text.h"

#include <stdio.h>

/* Node times of a million processes fit. */
enum { LINE_LONGEST = 16 * 1024 * 1024 };

struct lines {
    const char *path; /* borrowed */
    FILE *file;       /* owned */
    struct text text; /* of the present line, without its end ("\n" or "\r\n") */
    size_t number;    /* of the present line, from 1 */
    long long offset; /* of its first byte */
    long long next;   /* of the next line */
    bool torn;        /* it is the last one and has no end */
    bool too_long;    /* bytes beyond LINE_LONGEST are skipped */
};

/* Only plain files: others cannot be read a second time. */
int lines_open(struct lines *l, const char *path, struct err *e);

/* 1: a line; 0: the end of the file; -1: e is set. */
int lines_next(struct lines *l, struct err *e);

/* The next line to be read is this one. */
int lines_seek(struct lines *l, long long offset, size_t number, struct err *e);

void lines_release(struct lines *l);

#endif
