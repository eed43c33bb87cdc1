/* Message buffers (manual 2.1.1 @MEMORY): one page-aligned block for the run, touched and filled
 * by the rank that uses it, of which every measurement uses disjoint parts to send from, to
 * receive into and to attach. */
#ifndef SKAMPI_CONTEXT_BUFFERS_H
#define SKAMPI_CONTEXT_BUFFERS_H

#include "base/err.h"
#include "model/buffer_size.h"

struct buffers {
    char *block; /* owned */
    long long bytes;
    long long next; /* where the next messages start, with a cold cache */
};

int buffers_init(struct buffers *b, long long bytes, struct err *e);
void buffers_release(struct buffers *b);

/* Gives every byte the value that it has at the beginning. */
void buffers_fill(struct buffers *b);

struct parts {
    char *send, *receive, *attached;
};

/* The parts of the first repetition of a measurement. The attached one stands first and stays for
 * all of them. */
struct parts buffers_first(struct buffers *b, const struct buffer_size *d);

/* The parts of the next repetition. Cold: the messages follow those of the repetition before,
 * through the whole block and round again, so that they were not used recently. */
struct parts buffers_next(struct buffers *b, const struct buffer_size *d, enum cache_mode cache);

#endif
