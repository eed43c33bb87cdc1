/* Spreads: how irregular collectives divide the elements that the regular operation would send
 * into parts of unequal size. The total is always that of the regular operation. No MPI. */
#pragma once

#include "model/suite.h"

/* The forms by enum spreading; ends with a row without name and part. */
extern const struct form spread_forms[];

/* The spread of a suite with this number. The shares are borrowed. */
struct spread {
    enum spreading kind;
    long number;
    const long *shares; /* SPREAD_FILE only */
    bool symmetric;     /* of a matrix, which is: so are the elements, although they are rounded */
};

struct spread spread_of(const struct suite *s, long number);

/* Elements of each of n processes, where the regular operation has `each` for each of them. */
void spread_parts(const struct spread *x, int n, long each, int *counts);

/* All-to-all among n processes: elements that a rank sends to each of them, or that it receives
 * from each of them, where the regular operation has messages of `each` elements. */
void spread_counts(const struct spread *x, int n, int rank, bool sent, long each, int *counts);

/* How many messages of the regular operation the fullest buffer of an all-to-all holds. */
int spread_messages(const struct suite *s, int n);

/* How unequal the parts are; all members except the hash relative to the mean. */
struct inequality {
    double longest;        /* part or message */
    double sent, received; /* all-to-all: what one process sends and receives, at most */
    double gini;           /* Gini coefficient of the parts or messages: 0 if they are equal */
    uint64_t hash;         /* of the shares */
};

/* The inequality for n processes. */
void inequality_of(const struct spread *x, int n, bool all_to_all, struct inequality *result);

/* "one_large:90, 4 processes: longest 3.600 of the mean, ..." */
void inequality_text(const struct spread *x, int n, bool all_to_all, struct text *out);
