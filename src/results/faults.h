/* What is wrong with result files that are read: "FILE:LINE: what". The reading goes on behind it,
 * without what is told to be left out. */
#ifndef SKAMPI_RESULTS_FAULTS_H
#define SKAMPI_RESULTS_FAULTS_H

#include "base/text.h"

#include <stdio.h>

struct faults {
    struct text lines; /* the first ones, each with its line end */
    size_t count;      /* of all */
};

/* line 0 means the whole file. f may be NULL: then nobody wants to know. */
void faults_add(struct faults *f, const char *path, size_t line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Takes back what was told behind the first so many. f may be NULL. */
void faults_take_back(struct faults *f, size_t count);

void faults_print(const struct faults *f, FILE *out);
void faults_release(struct faults *f);

#endif
