#include "context/application_sent.h"

#include "base/grow.h"

#include <stdlib.h>

/* A byte of each cache line of each piece. */
struct places {
    long long *at; /* owned */
    size_t count, capacity;
    bool lacks_memory;
};

static void add_places(void *context, long long offset, long long bytes)
{
    struct places *p = context;
    for (long long at = offset; at < offset + bytes; at += CACHE_LINE - at % CACHE_LINE) {
        long long *grown = grow_for_one(p->at, p->count, &p->capacity, sizeof(*grown));
        p->lacks_memory = p->lacks_memory || grown == NULL;
        if (grown == NULL)
            return;
        p->at = grown;
        p->at[p->count++] = at;
    }
}

static int by_value(const void *a, const void *b)
{
    const long long *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Pieces of a list share cache lines in any order; the first place of each line remains. */
static size_t keep_one_of_each_line(long long *places, size_t count)
{
    size_t kept = 0;
    qsort(places, count, sizeof(*places), by_value);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || places[i] / CACHE_LINE != places[kept - 1] / CACHE_LINE)
            places[kept++] = places[i];
    return kept;
}

int application_sent_find(struct sent *s, const struct application_message *m, struct err *e)
{
    struct places p = { 0 };
    sent_release(s);
    application_pieces(m, APPLICATION_SENDS, add_places, &p);
    s->places = p.at;
    if (p.lacks_memory)
        return err_no_memory(e, 2 * p.capacity * sizeof(*p.at));
    s->count = keep_one_of_each_line(p.at, p.count);
    return 0;
}
