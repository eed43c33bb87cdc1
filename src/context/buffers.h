/* Message buffers (manual 2.1.1 @MEMORY): one page-aligned block for the run, touched and filled by
 * the rank that uses it. Each measurement has disjoint parts of it to send, receive and attach. */
#ifndef SKAMPI_CONTEXT_BUFFERS_H
#define SKAMPI_CONTEXT_BUFFERS_H

#include "base/err.h"
#include "model/buffer_size.h"

struct buffers {
    char *block; /* owned */
    long long bytes;
    long long next; /* where the next messages start with a cold cache */
};

int buffers_init(struct buffers *b, long long bytes, struct err *e);
void buffers_release(struct buffers *b);

/* Sets every byte to its initial value. */
void buffers_fill(struct buffers *b);

struct parts {
    char *send, *receive, *attached;
};

/* The parts of the first repetition of a measurement. The attached part comes first and is the same
 * for all repetitions. */
struct parts buffers_first(struct buffers *b, const struct buffer_size *d);

/* The parts of the next repetition. With a cold cache, its messages follow those of the previous
 * repetition through the whole block and round again, so that they were not used recently. */
struct parts buffers_next(struct buffers *b, const struct buffer_size *d, enum cache_mode cache);

#endif
