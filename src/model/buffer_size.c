#include "model/buffer_size.h"

#include "model/layouts.h"
#include "model/parameters.h"
#include "model/spreading.h"

/* Larger sums are limited to this: more than any memory, and three of them still add up. */
#define MAX_BYTES (LLONG_MAX / 4 / BUFFER_ALIGNMENT * BUFFER_ALIGNMENT)

long long suite_messages(const struct suite *s, const struct lengths *l, int parts)
{
    bool many = (s->type->traits & TYPE_WINDOW) != 0 && s->options.buffers == BUFFERS_MANY;
    return (l->once + (long long)l->per_process * parts) * (many ? s->options.window : 1);
}

struct suite suite_at(const struct suite *s, const struct setting *at)
{
    struct suite copy = *s;
    copy.options.window = at->window;
    copy.options.partitions = at->partitions;
    copy.options.send_in = (enum memory_kind)at->send_in;
    copy.options.receive_in = (enum memory_kind)at->receive_in;
    copy.options.threads = at->threads;
    return copy;
}

int suite_parts(const struct params *p, const struct suite *s, int processes)
{
    const struct topology *t = suite_topology(p, s);
    if ((s->type->traits & TYPE_PARTNERS) != 0)
        return 2 * ((int)s->options.partners + 1);
    if (s->options.spread == SPREAD_FILE)
        return spread_messages(s, processes);
    return t != NULL && (s->type->traits & TYPE_NEIGHBOURS) != 0 ? topology_neighbours(t)
                                                                 : processes;
}

/* Bytes that hold count lengths, rounded up to a page. */
static long long bytes_of(long long count, long length)
{
    if (count == 0 || length < 0)
        return 0;
    if (length > MAX_BYTES / count - BUFFER_ALIGNMENT)
        return MAX_BYTES;
    return (count * length + BUFFER_ALIGNMENT - 1) / BUFFER_ALIGNMENT * BUFFER_ALIGNMENT;
}

static long with_overhead(long length)
{
    return length > LONG_MAX - BSEND_OVERHEAD ? LONG_MAX : length + BSEND_OVERHEAD;
}

static bool has_length(const struct suite *s)
{
    return (s->type->traits & TYPE_HAS_LENGTH) != 0;
}

/* One element of a side's datatype; of types that hold a whole message the shortest element. */
struct element {
    long size, extent; /* bytes of data, and from one to the next; at least 1 */
    bool grows;
    int datatype, basetype;
};

static long at_least_1(long long bytes)
{
    return bytes > 0 ? (long)bytes : 1;
}

static struct element element_of(const struct params *p, int datatype, int basetype)
{
    struct layout l = layout_of(p, datatype, basetype, 1);
    return (struct element){ at_least_1(l.size), at_least_1(l.extent), layout_grows(datatype),
                             datatype, basetype };
}

/* The properties of a suite's messages among some processes. */
struct messages {
    const struct params *params;
    const struct suite *suite;
    struct element send, receive;
    int parts;
};

static struct messages messages_of(const struct params *p, const struct suite *s, int processes)
{
    int groups = s->options.groups > 1 ? s->options.groups : 1;
    struct messages m = { .params = p, .suite = s, .parts = suite_parts(p, s, processes / groups) };
    bool one = (s->type->traits & TYPE_ONE_DATATYPE) != 0;
    m.send = element_of(p, s->send_datatype, s->send_basetype);
    m.receive =
        one || (s->receive_datatype == s->send_datatype && s->receive_basetype == s->send_basetype)
            ? m.send
            : element_of(p, s->receive_datatype, s->receive_basetype);
    return m;
}

/* A message takes more memory than its bytes of data if its datatype has gaps. */
static long memory_of(const struct params *p, long length, const struct element *e)
{
    long elements = length / e->size + (length % e->size != 0);
    if (elements > 0 && e->grows)
        return (long)layout_of(p, e->datatype, e->basetype, elements).extent;
    return elements > LONG_MAX / e->extent ? LONG_MAX : elements * e->extent;
}

/* The memory of the arrays, followed by the packed messages if the program packs; with
 * method=contiguous two messages. Nothing for other lengths. */
static struct buffer_size size_of_case(const struct suite *s, long length, int processes)
{
    int number = application_suite_case(s, length, processes);
    if (number < 0 || (s->type->pattern->traits & PATTERN_LOCAL) != 0)
        return (struct buffer_size){ 0 };
    struct application_case c = application_suite_numbers(s, number, processes);
    long long memory = bytes_of(1, (long)application_memory(s->type->application, c.k));
    long long data = bytes_of(1, length);
    int packed = s->options.buffers == BUFFERS_ONE ? 1 : 2;
    switch (s->options.method) {
    case METHOD_CONTIGUOUS:
        return (struct buffer_size){ data, data, 0, 0 };
    case METHOD_PACK:
        return (struct buffer_size){ memory, 0, packed * bytes_of(1, with_overhead(length)), 0 };
    case METHOD_MANUAL:
        return (struct buffer_size){ memory, 0, packed * data, 0 };
    default:
        return (struct buffer_size){ memory, 0, 0, 0 };
    }
}

/* The sizes of the buffers; data received into the send buffer need that space as well. In place,
 * the receive buffer is the only one. */
static struct buffer_size size_of(const struct messages *m, long length)
{
    const struct suite *s = m->suite;
    const struct type_info *t = s->type;
    if (t->application != NULL)
        return size_of_case(s, length, m->parts);
    long send = memory_of(m->params, length, &m->send);
    long receive = memory_of(m->params, length, &m->receive);
    bool shared = (t->traits & TYPE_SHARES_BUFFER) != 0;
    int packed = s->options.method == METHOD_PACK ? 2 : 0; /* to pack into, to receive */
    if (s->options.in_place) {
        long long sent = bytes_of(suite_messages(s, &t->send, m->parts), send);
        long long received = bytes_of(suite_messages(s, &t->receive, m->parts), receive);
        return (struct buffer_size){ .receive = sent > received ? sent : received };
    }
    if (shared && receive > send)
        send = receive;
    return (struct buffer_size){
        .send = bytes_of(suite_messages(s, &t->send, m->parts), send),
        .receive = bytes_of(suite_messages(s, &t->receive, m->parts), receive),
        .attached = bytes_of(suite_messages(s, &t->attached, m->parts), with_overhead(length)) +
                    packed * bytes_of(1, with_overhead(length)),
        .more = s->options.threads > 1 ? s->options.threads - 1 : 0,
    };
}

struct buffer_size buffer_size_of(const struct params *p, const struct suite *s, long length,
                                  int processes)
{
    struct messages m = messages_of(p, s, processes);
    return size_of(&m, length);
}

/* LONG_MAX if there is no smaller common multiple; nothing fits then. */
static long common_multiple(long a, long b)
{
    long x = a, y = b;
    while (y != 0) {
        long rest = x % y;
        x = y;
        y = rest;
    }
    return a / x > LONG_MAX / b ? LONG_MAX : a / x * b;
}

long suite_quantum(const struct params *p, const struct suite *s)
{
    if (!has_length(s) || s->type->application != NULL)
        return 1;
    long quantum = suite_varies(s, length) && s->multiple_of > 1 ? s->multiple_of : 1;
    struct messages m = messages_of(p, s, 1);
    long parts = type_has_option(s->type, OPTION_PARTITIONS) ? s->options.partitions : 1;
    return common_multiple(common_multiple(quantum, parts * m.send.size), parts * m.receive.size);
}

long quantum_down(long value, long quantum)
{
    return value < 0 ? value : value / quantum * quantum;
}

long quantum_at_least_one(long value, long quantum)
{
    if (value <= 0)
        return 0;
    return value < quantum ? quantum : quantum_down(value, quantum);
}

long suite_most_partitions(const struct params *p, const struct suite *s)
{
    struct suite whole = *s;
    whole.options.partitions = 1;
    long length = suite_default_length(p, &whole);
    return length > 0 ? length / suite_quantum(p, &whole) : MAX_PARTITIONS;
}

long suite_default_length(const struct params *p, const struct suite *s)
{
    return has_length(s) ? quantum_at_least_one(s->default_length_bytes, suite_quantum(p, s)) : 0;
}

long suite_length_among(const struct params *p, const struct suite *s, int processes)
{
    long length = suite_default_length(p, s);
    return s->options.length_is == LENGTH_TOTAL
               ? quantum_down(length / processes, suite_quantum(p, s))
               : length;
}

struct setting setting_of(const struct params *p, const struct suite *s, int processes,
                          long argument)
{
    struct setting at = suite_setting(s, processes, argument);
    const struct suite with = suite_at(s, &at);
    if (!suite_varies(s, length))
        at.length = suite_length_among(p, &with, at.processes);
    if (at.chunks == 0)
        at.chunks = CHUNKS_PER_WORKER * (at.processes - 1);
    return at;
}

static bool counts_fit(const struct messages *m, const struct lengths *l, long length,
                       const struct element *e)
{
    const struct suite *s = m->suite;
    long long messages = (long long)l->per_process * m->parts;
    if (messages == 0)
        messages = l->once > 0;
    /* MPI counts elements, and places between the processes' parts, in an int, unless the suite
     * says otherwise. So do the operations that the program defines. */
    bool by_int = s->options.counts == COUNTS_INT ||
                  ((s->type->traits & TYPE_REDUCES) != 0 && s->options.op >= COMBINE_NONE);
    if (messages > 0 && e->grows)
        return messages < INT_MAX && length / e->size <= layout_most(m->params);
    return !by_int || messages == 0 || length / e->size < INT_MAX / messages;
}

int buffer_size_sets(const struct suite *s)
{
    static const int least[] = { [DATA_KEPT] = 1, [DATA_FRESH] = 1, [DATA_COLD] = 2 };
    bool many = s->options.data != DATA_KEPT && (s->type->pattern->traits & PATTERN_LOCAL) == 0;
    int sets = least[s->options.data];
    return many && suite_calls(s) > sets ? suite_calls(s) : sets;
}

long long buffer_size_own(const struct suite *s, const struct buffer_size *d)
{
    return buffer_size_sets(s) * (d->send + d->receive) + d->attached;
}

long long buffer_size_memory(const struct suite *s, const struct buffer_size *d)
{
    long long own = buffer_size_own(s, d);
    return own > MAX_BYTES / (d->more + 1) ? MAX_BYTES : own * (d->more + 1);
}

long long suite_file_bytes(const struct suite *s, long length, int processes)
{
    bool strided = type_has_option(s->type, OPTION_IO_BLOCK);
    long block = strided ? s->options.io_block : 1;
    if ((s->type->traits & TYPE_FILE) == 0 || length <= 0)
        return 0;
    if (length > MAX_BYTES / processes - block)
        return MAX_BYTES;
    return (length + block - 1) / block * (long long)block * processes;
}

bool suite_file_fits(const struct params *p, const struct suite *s, long length, int processes)
{
    return suite_file_bytes(s, length, processes) <= 1024LL * 1024 * p->io_space_mib;
}

/* The number of places; parts longer than io_walk have two. */
int suite_file_places(const struct params *p, const struct suite *s, long length, int processes)
{
    bool walks = type_has_option(s->type, OPTION_IO_WALK);
    long long bytes = suite_file_bytes(s, length, processes);
    if (!walks || s->options.io_walk == 0 || bytes == 0)
        return 1;
    long long most = 1024LL * 1024 * p->io_space_mib / bytes, places = s->options.io_walk / length;
    places = places < 2 ? 2 : places;
    places = places > MAX_FILE_PLACES ? MAX_FILE_PLACES : places;
    places = places > most ? most : places;
    return places < 1 ? 1 : (int)places;
}

bool suite_fits(const struct params *p, const struct suite *s, long length, int processes)
{
    const struct messages m = messages_of(p, s, processes);
    struct buffer_size d = size_of(&m, length);
    if (s->type->application != NULL)
        return buffer_size_memory(s, &d) <= 1024LL * p->memory_kib && length < INT_MAX;
    return buffer_size_memory(s, &d) <= 1024LL * p->memory_kib &&
           d.attached <= INT_MAX / (d.more + 1) &&
           counts_fit(&m, &s->type->send, length, &m.send) &&
           counts_fit(&m, &s->type->receive, length, &m.receive) &&
           (s->options.method == METHOD_DDT || s->options.counts != COUNTS_INT ||
            length < INT_MAX) &&
           suite_file_fits(p, s, length, processes);
}
