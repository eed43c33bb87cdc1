/* Reads a text file line by line, in bounded memory, and collects its faults. */
#pragma once

#include "base/text.h"

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

/* "FILE:LINE: fault". The reader continues after a fault; the message says what is skipped. */
struct faults {
    struct text lines; /* the first faults, each with its line end */
    size_t count;      /* of all faults */
};

/* Line 0 means the whole file. f may be NULL to ignore faults. */
void faults_add(struct faults *f, const char *path, size_t line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Drops the faults since this copy was made. f may be NULL. */
void faults_truncate(struct faults *f, const struct faults *before);

void faults_print(const struct faults *f, FILE *out);
void faults_release(struct faults *f);
