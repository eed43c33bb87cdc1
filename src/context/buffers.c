#include "context/buffers.h"

#include <stdlib.h>
#include <string.h>

int buffers_init(struct buffers *b, long long bytes, struct err *e)
{
    void *block = NULL;
    *b = (struct buffers){ 0 };
    if (bytes == 0)
        bytes = BUFFER_ALIGNMENT;
    if (posix_memalign(&block, BUFFER_ALIGNMENT, (size_t)bytes) != 0)
        return err_no_memory(e, (unsigned long long)bytes);
    b->block = block;
    b->bytes = bytes;
    buffers_fill(b, bytes);
    return 0;
}

/* Writing the block matters: a block never written is one shared page of zeros, which sends faster
 * than real memory. */
void buffers_fill(struct buffers *b, long long bytes)
{
    memset(b->block, BUFFERS_FILL, (size_t)bytes);
}

void buffers_release(struct buffers *b)
{
    free(b->block);
    *b = (struct buffers){ 0 };
}

static struct parts parts_at(const struct buffers *b, const struct buffer_size *d)
{
    char *messages = b->block + b->next;
    return (struct parts){ messages, messages + d->send, b->block };
}

struct parts buffers_first(struct buffers *b, const struct buffer_size *d)
{
    b->next = d->attached;
    return parts_at(b, d);
}

struct parts buffers_next(struct buffers *b, const struct buffer_size *d, long long within)
{
    long long messages = d->send + d->receive;
    b->next = b->next + 2 * messages > within ? d->attached : b->next + messages;
    return parts_at(b, d);
}

struct parts buffers_again(struct buffers *b, const struct buffer_size *d, long long next)
{
    b->next = next;
    return parts_at(b, d);
}
