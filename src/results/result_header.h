/* The header facts of a result file: the fields "#@NAME value" outside of result lists. */
#ifndef SKAMPI_RESULTS_RESULT_HEADER_H
#define SKAMPI_RESULTS_RESULT_HEADER_H

#include "base/text.h"

struct header_field {
    char *name;        /* owned */
    struct text value; /* lines with "\n" between them */
};

struct header {
    struct header_field *fields; /* owned; in the order of the file */
    size_t count, capacity;
    size_t leading; /* fields before the first list */
    size_t bytes;   /* of all values */
};

/* False if out of memory, or if the header is longer than that of any run. */
bool header_add(struct header *h, const char *name, size_t name_len, const char *value);

/* Adds a continuation line to the last field. */
bool header_continue(struct header *h, const char *line);

/* The value of the first field with that name (borrowed), or NULL. */
const char *header_get(const struct header *h, const char *name);

void header_release(struct header *h);

#endif
