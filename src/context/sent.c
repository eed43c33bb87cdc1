#include "context/sent.h"

#include "hosts/buffers.h"

enum { MARK = 1, CHANGED_BIT = 1 };

/* Changes one bit of a byte: the buffers' initial numbers remain normal ones, so reductions take
 * the same time. Volatile, since nothing in this program reads the data. */
static void change(char *byte)
{
    volatile char *place = byte;
    *place = (char)(*place ^ CHANGED_BIT);
}

void sent_rewrite(const struct sent *s, char *buffer)
{
    const char *end = s->places == NULL ? buffer + s->bytes : buffer;
    for (char *at = buffer; at < end; at += CACHE_LINE - (uintptr_t)at % CACHE_LINE)
        change(at);
    for (size_t i = 0; i < s->count; i++)
        change(buffer + s->places[i]);
}

char *side_message(const struct side *side, int process)
{
    return side->at + (size_t)process * (size_t)side->stride;
}

static int mark(const struct side *side, int message, MPI_Comm comm, struct err *e)
{
    int room, at = 0;
    MPI_Pack_size(side->count, side->type, comm, &room);
    char *packed = memory_new((size_t)room, 1, e);
    if (packed == NULL)
        return -1;
    memset(packed, MARK, (size_t)room);
    MPI_Unpack(packed, room, &at, side_message(side, message), side->count, side->type, comm);
    free(packed);
    return 0;
}

/* Collects a marked byte of each line; with places NULL, counts them. */
static size_t collect(const char *buffer, long long bytes, long *places)
{
    size_t count = 0;
    for (long long i = 0; i < bytes;) {
        size_t line = CACHE_LINE - (uintptr_t)(buffer + i) % CACHE_LINE;
        size_t len = line < (size_t)(bytes - i) ? line : (size_t)(bytes - i);
        const char *marked = memchr(buffer + i, MARK, len);
        if (marked != NULL && places != NULL)
            places[count] = marked - buffer;
        count += marked != NULL;
        i += (long long)len;
    }
    return count;
}

static int find_places(struct sent *s, const struct side *side, int messages, MPI_Comm comm,
                       struct err *e)
{
    struct side host = *side;
    host.at = side->host;
    memset(host.at, 0, (size_t)s->bytes);
    for (int i = 0; i < messages; i++)
        if (mark(&host, i, comm, e) != 0)
            return -1;
    s->count = collect(host.at, s->bytes, NULL);
    if (memory_take(&s->places, s->count, e) != 0)
        return -1;
    collect(host.at, s->bytes, s->places);
    return 0;
}

/* Can the message have gaps? A longer message could not be unpacked in one call. */
static bool has_gaps(const struct side *side)
{
    MPI_Aint lb, extent;
    MPI_Count size;
    MPI_Type_size_x(side->type, &size);
    MPI_Type_get_extent(side->type, &lb, &extent);
    return side->elements * size < INT_MAX && (size != extent || lb != 0);
}

int sent_find(struct sent *s, const struct side *side, int messages, MPI_Comm comm, struct err *e)
{
    sent_release(s);
    long long bytes = messages * (long long)side->stride;
    s->bytes = bytes;
    if (bytes <= 0 || !has_gaps(side))
        return 0;
    int rc = find_places(s, side, messages, comm, e);
    memset(side->host, BUFFERS_FILL, (size_t)bytes);
    return rc;
}

void sent_release(struct sent *s)
{
    free(s->places);
    *s = (struct sent){ 0 };
}

/* The places of a byte in each cache line of each piece. */
struct places {
    long *at; /* owned */
    size_t count, capacity;
};

static void add_places(void *context, long long offset, long long bytes)
{
    struct places *p = context;
    for (long long at = offset; at < offset + bytes; at += CACHE_LINE - at % CACHE_LINE) {
        grow_for_one(&p->at, p->count, &p->capacity, sizeof(*p->at));
        p->at[p->count++] = (long)at;
    }
}

/* Keeps the first place of each line, as pieces of a list share cache lines in any order. */
static size_t keep_one_of_each_line(long *places, size_t count)
{
    size_t kept = 0;
    qsort(places, count, sizeof(*places), by_long);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || places[i] / CACHE_LINE != places[kept - 1] / CACHE_LINE)
            places[kept++] = places[i];
    return kept;
}

void application_sent_find(struct sent *s, const struct application_message *m)
{
    struct places p = { 0 };
    sent_release(s);
    application_pieces(m, APPLICATION_SENDS, add_places, &p);
    s->places = p.at;
    s->count = keep_one_of_each_line(p.at, p.count);
}
