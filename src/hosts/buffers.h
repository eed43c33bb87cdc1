/* Message buffers (manual 2.1.1 @MEMORY): one page-aligned block for the run in each kind of memory
 * that it needs, touched and filled by the rank that uses it. Each measurement has disjoint parts
 * of it to send, receive and attach. */
#pragma once

#include "model/suite.h"

struct buffer_size;

/* Every byte of the buffers before a measurement. Every floating-point type, long double included,
 * reads them as a normal number: denormal or invalid ones would distort the time of a reduction. */
enum { BUFFERS_FILL = 0xbf };

enum { MAX_UNIT = 64 }; /* bytes of an element */

struct buffers {
    char *block;            /* owned */
    char *in[MEMORY_KINDS]; /* owned: blocks of the same size in other memory; in[IN_HOST] is block.
                               NULL: no suite needs it */
    long long bytes;
    long long place;              /* of the current measurement */
    unsigned char unit[MAX_UNIT]; /* repeated in them initially, instead of BUFFERS_FILL */
    size_t unit_bytes;            /* a power of 2; 0: BUFFERS_FILL */
};

int buffers_init(struct buffers *b, long long bytes, struct err *e);
void buffers_release(struct buffers *b);

/* Adds a block of another kind (hosts/gpu.h), with the same content. 0 or -1. */
int buffers_add(struct buffers *b, enum memory_kind kind, struct err *e);

/* Sets bytes of other memory of the host to their initial value. */
void buffers_fill(const struct buffers *b, char *memory, long long bytes);

/* Fills all blocks with an element; with 0 bytes, as before. */
void buffers_use(struct buffers *b, const unsigned char *unit, size_t bytes);

/* Gives a measurement of these bytes a place: as far into the rest of the block as the key is
 * between 0 and 2^64. */
void buffers_place(struct buffers *b, long long bytes, uint64_t key);

/* Where the messages of the call after the one at next start. They follow those of the previous
 * call through the first bytes of the block and round again: through the whole block, so that they
 * were not used recently; or through one set of messages, so that they are always the same. The
 * attached part comes first and is the same for all calls. */
long long buffers_after(long long next, const struct buffer_size *d, long long within);
