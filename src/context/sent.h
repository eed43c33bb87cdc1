/* The cache lines of the data that a process sends, and changes of these data. */
#pragma once

#include "model/applications.h"

#include <mpi.h>

/* The shortest line of any cache. A longer line is changed more than once. */
enum { CACHE_LINE = 64 };

/* The data of messages in a buffer. */
struct sent {
    long long bytes; /* from the first message's start to the last one's end */
    long *places;    /* owned: of a byte of data in each cache line; NULL: data are everywhere */
    size_t count;
};

struct side;

/* Finds out by MPI_Unpack which bytes are data of a number of messages, which start at a cache
 * line. With gaps, messages get their initial value. Release it in any case; it can be reused. */
int sent_find(struct sent *s, const struct side *m, int messages, MPI_Comm comm, struct err *e);
void sent_release(struct sent *s);

/* Changes a byte of data in each cache line of the same messages in another buffer. */
void sent_rewrite(const struct sent *s, char *buffer);

/* Finds the places of an application's data in the arrays' memory, which starts at a cache line. */
int application_sent_find(struct sent *s, const struct application_message *m, struct err *e);
