#include "machine/buffers.h"

#include <stdlib.h>
#include <string.h>

/* Every floating-point type, long double included, reads these bytes as a normal number: reducing
 * denormal or invalid ones would be timed instead. And a block that was never written is one
 * shared page of zeros, which sends faster than memory does. */
enum { FILL = 0xbf };

int buffers_init(struct buffers *b, long long bytes, struct err *e)
{
    void *block = NULL;
    *b = (struct buffers){ 0 };
    if (bytes == 0)
        bytes = BUFFER_ALIGNMENT;
    if (posix_memalign(&block, BUFFER_ALIGNMENT, (size_t)bytes) != 0)
        return err_no_memory(e, (unsigned long long)bytes);
    memset(block, FILL, (size_t)bytes);
    b->block = block;
    b->bytes = bytes;
    return 0;
}

void buffers_release(struct buffers *b)
{
    free(b->block);
    *b = (struct buffers){ 0 };
}

struct parts buffers_parts(struct buffers *b, const struct demand *d, enum cache_mode cache)
{
    if (cache == CACHE_WARM || b->next + demand_total(d) > b->bytes)
        b->next = 0;
    char *start = b->block + b->next;
    if (cache == CACHE_COLD)
        b->next += demand_total(d);
    return (struct parts){ start, start + d->send, start + d->send + d->receive };
}
