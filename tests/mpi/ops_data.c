/* Does an operation made of other calls communicate what the collective would? Every process fills
 * its send buffer with numbers that identify sender, block and place, both operations run, and the
 * contents of the receive buffers are compared. TAP on rank 0. */
#include "on_machine.h"

#include "patterns/pattern.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 7, BLOCKS_MOST = 64 };

/* where: the data that the collective defines; a Gather defines it on the root only. */
enum where { AT_ROOT, EVERYWHERE };

struct pair {
    int by_hand, collective;
    enum where where;
    bool in_send_buffer; /* a broadcast's result */
    int blocks;          /* of the result: 1, or 0 for one per process */
};

static const struct pair pairs[] = {
    { 45, 33, AT_ROOT, false, 0 },    { 46, 33, AT_ROOT, false, 0 },
    { 41, 33, AT_ROOT, false, 0 },    { 40, 35, EVERYWHERE, false, 1 },
    { 42, 39, EVERYWHERE, false, 0 }, { 72, 17, EVERYWHERE, true, 1 },
    { 80, 17, EVERYWHERE, true, 1 },  { 74, 20, EVERYWHERE, false, 0 },
    { 78, 20, EVERYWHERE, false, 0 }, { 43, 20, EVERYWHERE, false, 0 },
    { 37, 36, EVERYWHERE, false, 1 }, { 44, 38, EVERYWHERE, false, 1 },
};

static const char file[] = "@VERSION 4.1\n@MEMORY 1024\n@MEASUREMENTS\nall { Type = 20; }\n";

static void fill(struct run *r)
{
    int *send = (int *)r->send;
    memset(r->machine->buffers.block, 0, (size_t)r->machine->buffers.bytes);
    for (int i = 0; i < r->size * COUNT; i++)
        send[i] = 1000000 * (r->rank + 1) + i;
}

static void result_of(struct run *r, const struct op *op, const struct pair *p, int *result)
{
    struct err e = { "" };
    r->state = NULL;
    fill(r);
    if (op->hooks.init != NULL && op->hooks.init(r, &e) != 0)
        MPI_Abort(r->comm, 1);
    pattern_call(r, op);
    if (op->hooks.finalize != NULL)
        op->hooks.finalize(r);
    if (op->hooks.free != NULL)
        op->hooks.free(r);
    MPI_Barrier(r->comm);
    memset(result, 0, BLOCKS_MOST * COUNT * sizeof(int));
    if (p->where == AT_ROOT && r->rank != 0)
        return;
    int blocks = p->blocks == 0 ? r->size : p->blocks;
    memcpy(result, p->in_send_buffer ? r->send : r->receive,
           (size_t)(blocks * COUNT) * sizeof(int));
}

static const struct op *op_of(const struct registry *types, int number)
{
    struct catalog catalog = registry_catalog(types);
    return registry_op(types, catalog_find(&catalog, number));
}

static bool is_zero(const int *values)
{
    for (int i = 0; i < BLOCKS_MOST * COUNT; i++)
        if (values[i] != 0)
            return false;
    return true;
}

/* The same on all processes, and not empty at the root. */
static bool same_data(struct run *r, const struct registry *types, const struct pair *p)
{
    static int one[BLOCKS_MOST * COUNT], other[BLOCKS_MOST * COUNT];
    result_of(r, op_of(types, p->by_hand), p, one);
    result_of(r, op_of(types, p->collective), p, other);
    int same = memcmp(one, other, sizeof(one)) == 0 && (r->rank != 0 || !is_zero(one));
    int all;
    MPI_Allreduce(&same, &all, 1, MPI_INT, MPI_MIN, r->comm);
    return all != 0;
}

static int test_all(struct run *r, const struct registry *types)
{
    int failures = 0;
    enum { N = sizeof(pairs) / sizeof(*pairs) };
    if (r->rank == 0)
        printf("1..%d\n", N);
    for (int i = 0; i < N; i++) {
        bool same = same_data(r, types, &pairs[i]);
        failures += !same;
        if (r->rank == 0)
            printf("%s %d - %s does what %s does\n", same ? "ok" : "not ok", i + 1,
                   op_of(types, pairs[i].by_hand)->info.name,
                   op_of(types, pairs[i].collective)->info.name);
    }
    return failures;
}

static int test_machine(struct machine *m, const struct params *p, const struct registry *types)
{
    struct err e = { "" };
    struct run r;
    struct setting s = { .processes = m->size, .length = COUNT * (long)sizeof(int) };
    buffers_release(&m->buffers);
    buffers_init(&m->buffers, 1 << 20, &e);
    run_init(&r, m, p, &p->suites[0]);
    run_prepare(&r, &s, &e);
    r.send = m->buffers.block;
    r.receive = m->buffers.block + (1 << 19);
    int failures = test_all(&r, types);
    run_release(&r);
    return failures;
}

int main(void)
{
    static struct registry types;
    struct err e = { "" };
    const struct source source = { "test", file, sizeof(file) - 1 };
    registry_init(&types, &e);
    return test_on_machine(&source, &types, test_machine);
}
