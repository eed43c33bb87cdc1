/* The files of earlier runs: PATH.1, PATH.2, ... */
#ifndef SKAMPI_MERGE_ROTATED_H
#define SKAMPI_MERGE_ROTATED_H

#include "base/err.h"

#include <stddef.h>

struct kept {
    int *numbers; /* owned; ascending */
    size_t count, capacity;
};

/* Looks for them beside path. */
int kept_find(struct kept *k, const char *path, struct err *e);

/* One of them will be gone. */
void kept_forget(struct kept *k, const char *path);

/* The smallest number from 1 on that none of them has. */
int kept_first_free(const struct kept *k);

void kept_release(struct kept *k);

#endif
