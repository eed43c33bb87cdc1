/* How unequal the parts of an irregular collective are. No MPI. */
#ifndef SKAMPI_MODEL_INEQUALITY_H
#define SKAMPI_MODEL_INEQUALITY_H

#include "base/text.h"
#include "model/spreading.h"

#include <stdint.h>

/* All but the hash are relative to the mean. */
struct inequality {
    double longest;        /* part or message */
    double sent, received; /* all-to-all: what one process sends and receives, at most */
    double gini;           /* Gini coefficient of the parts or messages: 0 if they are equal */
    uint64_t hash;         /* of the shares */
};

/* For n processes. Returns 0, or -1 without memory. */
int inequality_of(const struct spread *x, int n, bool all_to_all, struct inequality *result);

/* "one_large:90, 4 processes: longest 3.600 of the mean, ..." */
void inequality_text(const struct spread *x, int n, bool all_to_all, struct text *out);

#endif
