/* The files of earlier runs: PATH.1, PATH.2, ... */
#ifndef SKAMPI_RESULTS_ROTATED_H
#define SKAMPI_RESULTS_ROTATED_H

#include "base/err.h"

#include <stddef.h>

struct rotated {
    int *numbers; /* owned; ascending */
    size_t count, capacity;
};

/* Finds them in the directory of path. */
int rotated_find(struct rotated *k, const char *path, struct err *e);

/* Removes one from the list. */
void rotated_remove(struct rotated *k, const char *path);

/* The smallest number from 1 on that none of them has. */
int rotated_first_free(const struct rotated *k);

void rotated_release(struct rotated *k);

#endif
