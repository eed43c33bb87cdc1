/* Changes before each repetition with data=fresh and data=cold: a byte in each cache line
 * of what a process sends itself, nothing in the gaps of a datatype or of an application's arrays,
 * and nothing on processes that only forward or receive. TAP on rank 0. */
#include "../lib/on_machine.h"

#include "model/applications.h"
#include "model/buffer_size.h"
#include "patterns/pattern.h"

/* Blocks of 28 bytes every 148: some cache lines have no data, some blocks are in two. */
enum { LENGTH = 280, BLOCK = 28, STRIDE = 148, LINES_OF_BLOCKS = 14, MOST_PROCESSES = 16 };

struct test {
    struct measurement *run;
    char *before; /* of the whole block */
    char *sent;   /* 1: this byte of an application's arrays is sent */
    bool sends;   /* this process, data of its own */
};

/* A small message of the applications whose names begin like this. */
static const struct {
    const char *name, *numbers;
} applications_tested[] = {
    { "WRF", "1,21,1,3,1,6,3,14,1,3,2,5" },
    { "MILC", "4,4,4,4" },
    { "NAS_LU", "9,7" },
    { "NAS_MG", "10,9,8" },
    { "LAMMPS", "100,60" },
    { "SPECFEM3D_oc", "100,60" },
    { "SPECFEM3D_cm", "200,100,40,30" },
    { "SPECFEM3D_mt", "30" },
    { "FFT", "12" },
};

/* NULL: the type is not tested with one. */
static const char *numbers_of(const struct type_info *type)
{
    const size_t count = sizeof(applications_tested) / sizeof(*applications_tested);
    for (size_t i = 0; i < count && type->application != NULL; i++) {
        const char *name = applications_tested[i].name;
        if (strncmp(type->application->name, name, strlen(name)) == 0)
            return applications_tested[i].numbers;
    }
    return NULL;
}

static bool is_application(const struct measurement *m)
{
    return m->suite->type->application != NULL;
}

/* Without an origin: a master, or the root of a broadcast or a scatter. */
static bool only_root_sends(const struct type_info *t)
{
    bool receives = t->receive.once + t->receive.per_process > 0;
    return t->pattern == &mw_pattern.info ||
           ((t->traits & TYPE_ROOTED) != 0 && (!receives || t->send.per_process > 0));
}

/* The processes from which this one receives. */
static void take_origins(const struct measurement *m, const struct op *op, int *from)
{
    const struct lengths *l = m->sizes.receive > 0 ? &op->info.receive : &op->info.send;
    for (int i = 0, n = (int)measurement_messages(m, l); i < n; i++) {
        struct origin origin = op->origin(m, i);
        if (origin.rank != MPI_PROC_NULL)
            from[origin.rank] = 1;
    }
}

/* Change their send buffers on all processes, even where none of it is sent. */
static bool is_rewritten_everywhere(const struct op *op)
{
    return strcmp(op->info.name, "Fan_in") == 0 || strcmp(op->info.name, "Irregular_Scatterv") == 0;
}

/* Does this process send data of its own? Then one receives them, or they are combined, or accesses
 * are one-sided. All processes call it, between init and free if they take part. */
static bool is_sender(const struct measurement *m, const struct op *op, bool takes_part)
{
    int from[MOST_PROCESSES] = { 0 }, own;
    bool known = op->origin != NULL && m->suite->type->pattern != &mw_pattern.info;
    if (known && takes_part)
        take_origins(m, op, from);
    own = memchr(from, 1, sizeof(from)) != NULL;
    MPI_Allreduce(MPI_IN_PLACE, from, MOST_PROCESSES, MPI_INT, MPI_MAX, m->resources->control);
    if ((op->info.traits & (TYPE_REDUCES | TYPE_ONE_SIDED)) != 0 || is_rewritten_everywhere(op))
        return true;
    if (!known)
        return m->rank == 0 || !only_root_sends(m->suite->type);
    return from[m->rank] != 0 || (!own && op->rewrite == NULL);
}

static long messages(const struct test *t)
{
    const struct measurement *m = t->run;
    const struct lengths *l = &m->suite->type->send;
    return t->sends ? l->once + l->per_process * suite_parts(m->params, m->suite, m->size) : 0;
}

static bool is_derived(const struct measurement *m)
{
    return m->suite->send_datatype != 5;
}

static long lines_of_application(const struct test *t)
{
    long lines = 0, last = -1;
    for (long i = 0; i < t->run->sizes.send; i++)
        if (t->sent[i] && i / CACHE_LINE != last) {
            last = i / CACHE_LINE;
            lines++;
        }
    return lines;
}

static long lines_of(const struct test *t, long calls)
{
    const struct measurement *m = t->run;
    if (is_application(m))
        return lines_of_application(t);
    long bytes = messages(t) * LENGTH;
    if (is_derived(m))
        return messages(t) * calls * LINES_OF_BLOCKS;
    return calls * ((bytes + CACHE_LINE - 1) / CACHE_LINE);
}

/* Is it a byte of a message, in the first buffers that follow at each distance? */
static bool is_data(const struct test *t, long at, long calls)
{
    const struct measurement *m = t->run;
    long set = (long)(m->sizes.send + m->sizes.receive), first = (long)m->sizes.attached;
    long place = (at - first) % set;
    if (at < first || at - first >= calls * set)
        return false;
    if (is_application(m))
        return place < m->sizes.send && t->sent[place];
    if (is_derived(m))
        return place < m->send.stride && place % STRIDE < BLOCK;
    return place < messages(t) * LENGTH;
}

/* The changed bytes, each in a cache line of its own; -1: one is not in the data. */
static long changed(const struct test *t, long calls)
{
    const struct buffers *b = &t->run->resources->buffers;
    long n = 0, line = -1;
    for (long i = 0; i < b->bytes; i++) {
        if (b->block[i] == t->before[i])
            continue;
        if (!is_data(t, i - (long)b->place, calls) || i / CACHE_LINE == line)
            return -1;
        line = i / CACHE_LINE;
        n++;
    }
    return n;
}

static void take_before(const struct test *t)
{
    const struct buffers *b = &t->run->resources->buffers;
    memcpy(t->before, b->block, (size_t)b->bytes);
}

/* Fresh data of all calls are rewritten before the first; cold ones, when they were sent. */
static bool rewrites(struct test *t, const struct op *op)
{
    struct measurement *m = t->run;
    int calls = op->info.calls > 0 ? op->info.calls : 1;
    bool cold = m->suite->options.data == DATA_COLD;
    take_before(t);
    repetition_next(m, op, calls);
    bool right = changed(t, calls) == (cold ? 0 : lines_of(t, calls));
    if (!cold)
        return right && (calls == 1 || m->next == m->first_call_at);
    for (int i = 1; i < calls; i++)
        measurement_next_buffers(m);
    take_before(t);
    repetition_next(m, op, calls);
    return right && changed(t, 1 + calls) == lines_of(t, calls);
}

/* If an interval has several calls, each sends from its own buffers, and receives into them. */
static bool arrives(struct test *t, const struct op *op, int calls)
{
    struct measurement *m = t->run;
    bool right = true;
    measurement_first_buffers(m);
    for (int i = 0; i < calls; i++, measurement_next_buffers(m)) {
        memset(m->send.at, i + 1, (size_t)m->sizes.send);
        memset(m->receive.at, 0, (size_t)m->sizes.receive);
    }
    measurement_first_buffers(m);
    pattern_calls(m, op, calls);
    measurement_first_buffers(m);
    for (int i = 0; i < calls; i++, measurement_next_buffers(m))
        right = right && m->receive.at[0] == i + 1;
    return right;
}

/* Persistent requests of more than one call. */
static bool is_bound(const struct measurement *m, const struct op *op)
{
    return (op->info.traits & TYPE_BOUND) != 0 && op->info.calls > 1 &&
           m->suite->type->pattern == &p2p_pattern.info;
}

static void take_piece(void *sent, long long offset, long long bytes)
{
    memset((char *)sent + offset, 1, (size_t)bytes);
}

/* Returns the length of the message of an application's case. */
static long take_sent(const struct test *t)
{
    const struct suite *s = t->run->suite;
    struct application_case c = application_suite_numbers(s, 0, t->run->resources->size);
    struct application_message m;
    long length = (long)application_bytes(s->type->application, c.k);
    memset(t->sent, 0, (size_t)t->run->resources->buffers.bytes);
    if (s->options.method == METHOD_CONTIGUOUS)
        memset(t->sent, 1, (size_t)length);
    else {
        application_message_init(&m, s->type->application, c.k, 0);
        application_pieces(&m, APPLICATION_SENDS, take_piece, t->sent);
        application_message_release(&m);
    }
    return length;
}

/* Only cold data that are not rewritten have another place in the next call. */
static bool moves(struct measurement *m, const struct op *op)
{
    long long before = m->next;
    repetition_next(m, op, 1);
    return (m->next != before) == (m->suite->options.data == DATA_COLD);
}

static void test_suite(struct test *t, const struct op *op)
{
    static const char *const what[] = { [DATA_FRESH] = "fresh data", [DATA_COLD] = "cold data" };
    struct measurement *m = t->run;
    struct setting s = { .processes = m->resources->size,
                         .length = LENGTH,
                         .partner = 1,
                         .chunks = 4,
                         .window = 3,
                         .partitions = 5,
                         .visit = 1 };
    bool right = true;
    if (is_application(m))
        s.length = take_sent(t);
    measurement_prepare(m, &s, NO_ERR);
    bool takes_part = pattern_takes_part(m);
    if (takes_part)
        right = pattern_begin(m, op, 0, NO_ERR) == 0;
    t->sends = is_sender(m, op, takes_part);
    if (takes_part) {
        buffers_fill(&m->resources->buffers, m->resources->buffers.block,
                     m->resources->buffers.bytes);
        bool local = (m->suite->type->pattern->traits & PATTERN_LOCAL) != 0;
        right = right && (local ? moves(m, op) : rewrites(t, op));
        if (right && is_bound(m, op))
            right = arrives(t, op, op->info.calls);
        pattern_end(m);
    }
    tap(m->resources, right, "%s, type %d", what[m->suite->options.data], m->suite->type->number);
}

/* Files are in a directory that only a session has. Calls of partitions are not even linked. */
static bool is_tested(const struct registry *types, const struct type_info *type)
{
    bool lacks = (type->needs & NEEDS_PARTITIONS & registry_catalog(types).lacks) != 0;
    return !lacks && type->application == NULL && (type->traits & TYPE_HAS_LENGTH) != 0 &&
           (type->traits & (TYPE_NEIGHBOURS | TYPE_FILE)) == 0 &&
           (type->pattern->traits & PATTERN_LOCAL) == 0;
}

/* Persistent requests cannot have cold data. */
static bool is_allowed(const struct type_info *type, bool cold)
{
    return !cold || (type->traits & TYPE_BOUND) == 0;
}

/* One-sided types have memory of their own otherwise, where no change would be seen here. */
static const char *memory_of(const struct type_info *type)
{
    return (type->traits & TYPE_ONE_SIDED) != 0 ? " memory=create" : "";
}

static void add_type(struct text *file, const struct type_info *type)
{
    static const char *const data[] = { "fresh", "cold" };
    for (int cold = 0; cold <= 1; cold++)
        if (is_allowed(type, cold))
            text_add(file, "t%d_%s { Type = %d; Parameters = \"data=%s%s\"; }\n", type->number,
                     data[cold], type->number, data[cold], memory_of(type));
}

static void add_application(struct text *file, const struct type_info *type)
{
    for (int n = 0; n < 4; n++)
        text_add(file, "a%d_%d { Type = %d; Parameters = \"data=%s method=%s case=%s\"; }\n",
                 type->number, n, type->number, n % 2 == 0 ? "fresh" : "cold",
                 n < 2 ? "manual" : "contiguous", numbers_of(type));
}

static void add_suites(const struct registry *types, struct text *file)
{
    text_add(file, "@VERSION 4.1\n@MEMORY 256\n@BASETYPE1 MPI_INT\n@BLOCKSIZE 7\n@VECTORSTRIDE 37\n"
                   "@MEASUREMENTS\n");
    for (size_t i = 0; i < types->count; i++)
        if (is_tested(types, &types->types[i]))
            add_type(file, &types->types[i]);
    for (int cold = 0; cold <= 1; cold++)
        text_add(
            file,
            "d%d { Type = 1; Send_Datatype_Number = 31; Parameters = \"data=%s buffers=one\"; }\n"
            "m%d { Type = 420; Parameters = \"data=%s\"; }\n",
            cold, cold ? "cold" : "fresh", cold, cold ? "cold" : "fresh");
    for (size_t i = 0; i < types->count; i++)
        if (types->types[i].application != NULL &&
            (types->types[i].pattern->traits & PATTERN_LOCAL) == 0)
            add_application(file, &types->types[i]);
}

static void test_all(struct resources *res, const struct params *p, const struct registry *types)
{
    struct measurement m;
    size_t bytes = (size_t)res->buffers.bytes;
    struct test t = { .run = &m, .before = malloc(bytes), .sent = malloc(bytes) };
    for (size_t i = 0; i < p->suite_count; i++) {
        measurement_init(&m, res, p, &p->suites[i]);
        test_suite(&t, registry_op(types, p->suites[i].type));
        measurement_release(&m);
    }
    free(t.before);
    free(t.sent);
}

TEST_MADE_FILE(add_suites, test_all)
