/* Faults found while reading result files: "FILE:LINE: fault". The reader continues after a fault;
 * the message says which part is skipped. */
#ifndef SKAMPI_RESULTS_FAULTS_H
#define SKAMPI_RESULTS_FAULTS_H

#include "base/text.h"

#include <stdio.h>

struct faults {
    struct text lines; /* the first faults, each with its line end */
    size_t count;      /* of all faults */
};

/* Line 0 means the whole file. f may be NULL to ignore faults. */
void faults_add(struct faults *f, const char *path, size_t line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Drops the faults after the first count. f may be NULL. */
void faults_truncate(struct faults *f, size_t count);

void faults_print(const struct faults *f, FILE *out);
void faults_release(struct faults *f);

#endif
