/* What is changed before each repetition with data=fresh and data=cold: a byte in each cache line
 * of what a process sends itself, nothing in the gaps of a datatype, and nothing on processes that
 * only forward or receive. TAP on rank 0. */
#include "on_machine.h"

#include "patterns/repetition.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Blocks of 28 bytes every 148: some cache lines have no data, some blocks are in two. */
enum { LENGTH = 280, BLOCK = 28, STRIDE = 148, LINES_OF_BLOCKS = 14 };

static const int by_root_only[] = { 10, 11, 12, 13, 14, 15, 16, 17, 35, 40,
                                    47, 72, 73, 80, 81, 60, 65, 30, 170 };

struct test {
    struct run *run;
    char *before; /* of the whole block */
    int number, failures;
};

static bool only_root_sends(const struct run *r)
{
    for (size_t i = 0; i < sizeof(by_root_only) / sizeof(*by_root_only); i++)
        if (by_root_only[i] == r->suite->type->number)
            return true;
    return false;
}

static long messages(const struct run *r)
{
    const struct lengths *l = &r->suite->type->send;
    return only_root_sends(r) && r->rank != 0 ? 0 : l->once + l->per_process * r->size;
}

static bool is_derived(const struct run *r)
{
    return r->suite->send_datatype != 5;
}

static long lines_of(const struct run *r, long calls)
{
    long bytes = messages(r) * LENGTH;
    if (is_derived(r))
        return messages(r) * calls * LINES_OF_BLOCKS;
    return calls * ((bytes + CACHE_LINE - 1) / CACHE_LINE);
}

/* Is it a byte of a message, in the first buffers that follow at each distance? */
static bool is_data(const struct run *r, long at, long calls)
{
    long set = (long)(r->sizes.send + r->sizes.receive), first = (long)r->sizes.attached;
    long place = (at - first) % set;
    if (at < first || at - first >= calls * set)
        return false;
    if (is_derived(r))
        return place < r->send_stride && place % STRIDE < BLOCK;
    return place < messages(r) * LENGTH;
}

/* The changed bytes, each in a cache line of its own; -1: one is not in the data. */
static long changed(const struct test *t, long calls)
{
    const struct buffers *b = &t->run->machine->buffers;
    long n = 0, line = -1;
    for (long i = 0; i < b->bytes; i++) {
        if (b->block[i] == t->before[i])
            continue;
        if (!is_data(t->run, i, calls) || i / CACHE_LINE == line)
            return -1;
        line = i / CACHE_LINE;
        n++;
    }
    return n;
}

static void report(struct test *t, bool right, const char *what)
{
    struct run *r = t->run;
    int own = right, all;
    MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MIN, r->machine->control);
    t->failures += !all;
    if (r->machine->rank == 0)
        printf("%s %d - %s, type %d\n", all ? "ok" : "not ok", ++t->number, what,
               r->suite->type->number);
}

static void take_before(const struct test *t)
{
    const struct buffers *b = &t->run->machine->buffers;
    memcpy(t->before, b->block, (size_t)b->bytes);
}

/* Of fresh data all calls are rewritten before the first; of cold ones, when they were sent. */
static bool rewrites(struct test *t, const struct op *op)
{
    struct run *r = t->run;
    int calls = op->calls > 0 ? op->calls : 1;
    bool cold = r->suite->options.data == DATA_COLD;
    take_before(t);
    repetition_next(r, op, calls);
    bool right = changed(t, calls) == (cold ? 0 : lines_of(r, calls));
    if (!cold)
        return right && (calls == 1 || r->machine->buffers.next == r->first_call_at);
    for (int i = 1; i < calls; i++)
        run_next_buffers(r);
    take_before(t);
    repetition_next(r, op, calls);
    return right && changed(t, 1 + calls) == lines_of(r, calls);
}

static void test_suite(struct test *t, const struct op *op)
{
    static const char *const what[] = { [DATA_FRESH] = "fresh data", [DATA_COLD] = "cold data" };
    struct run *r = t->run;
    struct err e = { "" };
    struct setting s = {
        .processes = r->machine->size, .length = LENGTH, .partner = 1, .chunks = 4
    };
    bool right = true;
    run_prepare(r, &s, &e);
    if (pattern_of(r->suite)->takes_part(r)) {
        buffers_fill(&r->machine->buffers);
        right = pattern_begin(r, op, 0, &e) == 0 && rewrites(t, op);
        pattern_end(r, op);
    }
    report(t, right, what[r->suite->options.data]);
}

static bool is_tested(const struct type_info *type)
{
    return (type->traits & TYPE_HAS_LENGTH) != 0 && (type->traits & TYPE_NEIGHBOURS) == 0 &&
           (type->pattern->traits & PATTERN_LOCAL) == 0;
}

static void add_suites(const struct registry *types, struct text *file)
{
    text_add(file, "@VERSION 4.1\n@MEMORY 256\n@BASETYPE1 MPI_INT\n@BLOCKSIZE 7\n@VECTORSTRIDE 37\n"
                   "@MEASUREMENTS\n");
    for (size_t i = 0; i < types->count; i++)
        if (is_tested(&types->types[i]))
            for (int cold = 0; cold <= 1; cold++)
                text_add(file, "t%zu%d { Type = %d; Parameters = \"data=%s\"; }\n", i, cold,
                         types->types[i].number, cold ? "cold" : "fresh");
    for (int cold = 0; cold <= 1; cold++)
        text_add(file,
                 "d%d { Type = 1; Send_Datatype_Number = 31; Parameters = \"data=%s "
                 "buffers=one\"; }\n",
                 cold, cold ? "cold" : "fresh");
}

static int test_all(struct machine *m, const struct params *p, const struct registry *types)
{
    struct run r;
    struct test t = { .run = &r, .before = malloc((size_t)m->buffers.bytes) };
    if (m->rank == 0)
        printf("1..%zu\n", p->suite_count);
    for (size_t i = 0; i < p->suite_count; i++) {
        run_init(&r, m, p, &p->suites[i]);
        test_suite(&t, registry_op(types, p->suites[i].type));
        run_release(&r);
    }
    free(t.before);
    return t.failures;
}

int main(void)
{
    static struct registry types;
    struct err e = { "" };
    struct text file = { 0 };
    registry_init(&types, &e);
    add_suites(&types, &file);
    const struct source source = { "test", text_get(&file), file.len };
    int status = test_on_machine(&source, &types, test_all);
    text_release(&file);
    return status;
}
