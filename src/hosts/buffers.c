#include "hosts/buffers.h"

#include "hosts/gpu.h"
#include "model/buffer_size.h"

int buffers_init(struct buffers *b, long long bytes, struct err *e)
{
    void *block = NULL;
    *b = (struct buffers){ 0 };
    if (bytes == 0)
        bytes = BUFFER_ALIGNMENT;
    if (posix_memalign(&block, BUFFER_ALIGNMENT, (size_t)bytes) != 0)
        return err_no_memory(e, (unsigned long long)bytes);
    b->block = b->in[IN_HOST] = block;
    b->bytes = bytes;
    buffers_fill(b, b->block, bytes);
    return 0;
}

/* A block that was never written is a shared page of zeros, which sends faster than real memory. */
void buffers_fill(const struct buffers *b, char *memory, long long bytes)
{
    if (b->unit_bytes == 0)
        memset(memory, BUFFERS_FILL, (size_t)bytes);
    else
        for (long long i = 0; i < bytes; i++)
            memory[i] = (char)b->unit[(size_t)i % b->unit_bytes];
}

void buffers_use(struct buffers *b, const unsigned char *unit, size_t bytes)
{
    if (bytes == 0 && b->unit_bytes == 0)
        return;
    if (bytes > 0)
        memcpy(b->unit, unit, bytes);
    b->unit_bytes = bytes;
    buffers_fill(b, b->block, b->bytes);
    for (int i = IN_HOST + 1; i < MEMORY_KINDS; i++)
        if (b->in[i] != NULL)
            gpu_copy(b->in[i], b->block, (size_t)b->bytes);
}

int buffers_add(struct buffers *b, enum memory_kind kind, struct err *e)
{
    if (b->in[kind] != NULL)
        return 0;
    b->in[kind] = gpu_take(kind, (size_t)b->bytes, e);
    if (b->in[kind] == NULL)
        return -1;
    gpu_copy(b->in[kind], b->block, (size_t)b->bytes);
    return 0;
}

void buffers_release(struct buffers *b)
{
    for (int i = IN_HOST + 1; i < MEMORY_KINDS; i++)
        if (b->in[i] != NULL)
            gpu_give((enum memory_kind)i, b->in[i]);
    free(b->block);
    *b = (struct buffers){ 0 };
}

void buffers_place(struct buffers *b, long long bytes, uint64_t key)
{
    long long least = bytes > 0 ? bytes : BUFFER_ALIGNMENT;
    long long places = (b->bytes - least) / BUFFER_ALIGNMENT + 1;
    long long place = places < 2 ? 0 : (long long)((key >> 32) * (uint64_t)places >> 32);
    b->place = place * BUFFER_ALIGNMENT;
}

long long buffers_after(long long next, const struct buffer_size *d, long long within)
{
    long long messages = d->send + d->receive;
    return next + 2 * messages > within ? d->attached : next + messages;
}
