#include "ops/application.h"

#include <stdlib.h>
#include <string.h>

/* Larger arrays are not looked at: three copies are needed, and smaller ones use the same code. */
enum { LARGEST = 32 << 20 };

/* The arrays of both sides before and after the exchange, as words. */
struct arrays {
    unsigned *server, *client, *packed; /* owned; one block */
    size_t words;
};

static int arrays_init(struct arrays *x, size_t memory, size_t bytes, struct err *e)
{
    size_t all = 2 * memory + bytes;
    *x = (struct arrays){ .server = malloc(all), .words = memory / sizeof(unsigned) };
    if (x->server == NULL)
        return err_no_memory(e, all);
    x->client = x->server + x->words;
    x->packed = x->client + x->words;
    return 0;
}

/* No two words of both sides are the same. */
static void number_words(unsigned *words, size_t count, int serves)
{
    for (size_t i = 0; i < count; i++)
        words[i] = (unsigned)(2 * i) + (unsigned)serves;
}

struct copy {
    char *memory, *packed;
    bool packs;
};

static void copy_piece(void *context, long long offset, long long bytes)
{
    struct copy *c = context;
    char *memory = c->memory + offset;
    memcpy(c->packs ? c->packed : memory, c->packs ? memory : c->packed, (size_t)bytes);
    c->packed += bytes;
}

static void transfer(const struct application_message *m, unsigned *from, unsigned *to,
                     unsigned *packed)
{
    struct copy sent = { (char *)from, (char *)packed, true };
    struct copy received = { (char *)to, (char *)packed, false };
    application_pieces(m, APPLICATION_SENDS, copy_piece, &sent);
    application_pieces(m, APPLICATION_RECEIVES, copy_piece, &received);
}

static int compare(const unsigned *found, const unsigned *expected, size_t words,
                   const struct run *r, struct err *e)
{
    size_t i = 0;
    while (i < words && found[i] == expected[i])
        i++;
    if (i == words)
        return 0;
    return err_set(
        e, "after the exchange of %ld bytes, rank %d has %u at byte %zu of its arrays, not %u",
        r->length, r->rank, found[i], 4 * i, expected[i]);
}

int application_check(struct run *r, const struct op *op, struct err *e)
{
    const struct application_message *m = application_message_of(r);
    size_t memory = (size_t)application_memory(m->application, m->k);
    struct arrays x = { 0 };
    if (memory > LARGEST)
        return 0;
    int rc = arrays_init(&x, memory, (size_t)r->length, e);
    number_words((unsigned *)(void *)r->send, memory / sizeof(unsigned), r->rank == 0);
    pattern_call(r, op);
    if (rc != 0)
        return -1;
    number_words(x.server, x.words, true);
    number_words(x.client, x.words, false);
    transfer(m, x.server, x.client, x.packed);
    transfer(m, x.client, x.server, x.packed);
    rc = compare((const unsigned *)(const void *)r->send, r->rank == 0 ? x.server : x.client,
                 x.words, r, e);
    free(x.server);
    return rc;
}
