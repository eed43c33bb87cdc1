/* Does each process receive the messages that it should, by code of this test? Every process fills
 * its send buffer with numbers that identify sender, block and place. Operations in which it is not
 * obvious who exchanges what with whom. TAP on rank 0. */
#include "../lib/on_machine.h"

#include "patterns/pattern.h"

#include <stdlib.h>

enum { COUNT = 7, BLOCKS_FILLED = 8 };

/* Message i that a process has received: from which rank, and which block of its send buffer. A
 * rank of -1: none. */
struct from {
    int rank, block;
};

#define FROM(name, sender, block)                                                                  \
    static struct from name(int rank, int size, int i)                                             \
    {                                                                                              \
        return (struct from){ sender, block };                                                     \
    }

FROM(from_left, (rank + size - 1) % size, 0)

/* Each side has a block. The left one sent its first, to the right; the right one its second. */
FROM(from_both, (rank + (i == 0 ? 1 : size - 1)) % size, 1 - i)

/* At distances 1, -1, s, -s, s + 1, -(s + 1), ... with s = 2 for up to 8 processes, not periodic.
 */
static struct from from_halo(int rank, int size, int i)
{
    static const int distances[] = { 1, -1, 2, -2, 3, -3, 1, -1 };
    static const int opposite[] = { 1, 0, 3, 2, 5, 4, 7, 6 };
    int from = rank + distances[i];
    return (struct from){ from < 0 || from >= size ? -1 : from, opposite[i] };
}

/* Rings of up to three processes in random order cannot be predicted here; of all in natural order,
 * the first message is from the right, the second from the left. */
FROM(from_sides, (rank + (i == 0 ? 1 : size - 1)) % size, i)

/* Rings of two, or of three if the number of processes is odd. */
static struct from from_small_ring(int rank, int size, int i)
{
    int rings = size / 2, first = 0;
    for (int ring = 0, end = 0; ring < rings; ring++, first = end) {
        end = ((ring + 1) * size + rings - 1) / rings;
        if (rank < end) {
            int n = end - first;
            return (struct from){ first + (rank - first + (i == 0 ? 1 : n - 1)) % n, i };
        }
    }
    return (struct from){ -1, 0 };
}

FROM(from_root, rank == 0 ? -1 : 0, rank)
FROM(from_other, rank != 0 || i == 0 ? -1 : i, 0)

/* One-sided: what another process put here, or what this one got there. */
FROM(of_left, i == (rank + size - 1) % size && i != rank ? i : -1, 0)
FROM(of_right, i == (rank + 1) % size && i != rank ? i : -1, 0)
FROM(of_others, i == rank ? -1 : i, 0)

static struct from of_others_at_root(int rank, int size, int i)
{
    return rank == 0 ? of_others(rank, size, i) : (struct from){ -1, 0 };
}

FROM(of_root, rank != 0 && i == 0 ? 0 : -1, 0)
FROM(of_each, i, rank)

/* All go to the next rank, as the first blocks. */
FROM(of_left_alone, (rank + size - 1) % size, i)

/* The one large part of an irregular collective is that of rank 1. */
FROM(of_large, 1, i)

static struct from of_large_at_root(int rank, int size, int i)
{
    return rank == 0 ? of_large(rank, size, i) : (struct from){ -1, 0 };
}

FROM(for_large, rank == 1 ? 0 : -1, i)

/* Processes i and i + p/2; the last one of an odd number has no partner. */
static struct from from_partner(int rank, int size, int i)
{
    int half = size / 2, partner = rank < half ? rank + half : rank - half;
    return (struct from){ rank < 2 * half ? partner : -1, 0 };
}

static struct from from_lower(int rank, int size, int i)
{
    return rank < size / 2 ? (struct from){ -1, 0 } : from_partner(rank, size, i);
}

/* All messages of a window, one after the other. */
FROM(from_partner_window, from_partner(rank, size, i).rank, i)
FROM(from_lower_window, from_lower(rank, size, i).rank, i)

struct exchange {
    int messages; /* received; 0: one per process */
    struct from (*from)(int rank, int size, int i);
};

/* As many as suites of the file. */
static const struct exchange exchanges[] = {
    { 1, from_left },         { 2, from_both },         { 8, from_halo },
    { 8, from_halo },         { 2, from_both },         { 2, from_sides },
    { 2, from_sides },        { 2, from_small_ring },   { 2, from_small_ring },
    { 2, from_small_ring },   { 1, from_root },         { 0, from_other },
    { 0, from_other },        { 0, of_left },           { 0, of_others },
    { 0, of_others_at_root }, { 0, of_left },           { 0, of_others_at_root },
    { 0, of_others },         { 0, of_right },          { 0, of_others },
    { 0, of_root },           { 0, of_others },         { 0, of_right },
    { 0, of_each },           { 0, of_each },           { 0, of_left_alone },
    { 0, of_left_alone },     { 0, of_large_at_root },  { 0, of_large },
    { 0, for_large },         { 1, from_partner },      { 1, from_lower },
    { 1, from_lower },        { 3, from_lower_window }, { 3, from_partner_window },
    { 1, from_partner },      { 1, from_partner },
};
enum { EXCHANGES = sizeof(exchanges) / sizeof(*exchanges) };

/* A window of all buffers, wherever the test puts its messages. */
#define WHOLE "data=cold memory=create "

static const char file[] =
    "@VERSION 4.1\n@MEMORY 1024\n@TOPOLOGY1 Cartesian NOREORDER 1 yes\n@MEASUREMENTS\n"
    "chain { Type = 183; }\n"
    "both { Type = 184; }\n"
    "halo { Type = 185; Parameters = \"partners=8 periodic=no\"; }\n"
    "any { Type = 185; Parameters = \"partners=8 periodic=no wait=any\"; }\n"
    "ring { Type = 186; Virtual_Topology_Number = 1; }\n"
    "ring1 { Type = 189; }\n"
    "ring2 { Type = 191; }\n"
    "ring3 { Type = 189; Parameters = \"ring=2\"; }\n"
    "ring4 { Type = 190; Parameters = \"ring=2\"; }\n"
    "ring5 { Type = 191; Parameters = \"ring=2\"; }\n"
    "out { Type = 187; }\n"
    "in { Type = 188; }\n"
    "in2 { Type = 188; Parameters = \"wait=any\"; }\n"
    "put { Type = 211; Parameters = \"" WHOLE "sync=fence targets=next\"; }\n"
    "put2 { Type = 211; Parameters = \"" WHOLE "sync=pscw targets=all\"; }\n"
    "put3 { Type = 211; Parameters = \"" WHOLE "sync=lock targets=root\"; }\n"
    "accumulate { Type = 213; Parameters = \"" WHOLE "sync=notify targets=next\"; }\n"
    "fetch { Type = 214; Parameters = \"" WHOLE "sync=flush_local targets=root\"; }\n"
    "rput { Type = 217; Parameters = \"" WHOLE "sync=flush targets=all\"; }\n"
    "get { Type = 212; Parameters = \"" WHOLE "sync=flush targets=next\"; }\n"
    "get2 { Type = 212; Parameters = \"data=cold memory=dynamic sync=fence assert=all "
    "targets=all\"; }\n"
    "get3 { Type = 212; Parameters = \"" WHOLE "sync=pscw targets=root\"; }\n"
    "rget { Type = 218; Parameters = \"" WHOLE "sync=lock lock=exclusive targets=all\"; }\n"
    "rget2 { Type = 218; Parameters = \"" WHOLE "sync=notify targets=next\"; }\n"
    "v { Type = 240; Parameters = \"spread=uniform\"; }\n"
    "w { Type = 241; Parameters = \"spread=uniform\"; }\n"
    "v2 { Type = 240; Parameters = \"spread=sparse:1\"; }\n"
    "w2 { Type = 241; Parameters = \"spread=one_large:100\"; }\n"
    "gatherv { Type = 242; Parameters = \"spread=one_large:100\"; }\n"
    "allgatherv { Type = 244; Parameters = \"spread=one_large:100\"; }\n"
    "scatterv { Type = 243; Parameters = \"spread=one_large:100\"; }\n"
    "both_work { Type = 300; }\n"
    "sender_works { Type = 301; }\n"
    "receiver_works { Type = 302; }\n"
    "window { Type = 374; Parameters = \"window=3 buffers=many\"; }\n"
    "windows { Type = 376; Parameters = \"window=3 buffers=many\"; }\n"
    "both_in_one { Type = 303; }\n"
    "replace { Type = 304; }\n";

static void exchange(struct measurement *m, const struct op *op)
{
    const struct pattern *pattern = pattern_of(m->suite);
    struct err e = { "" };
    m->send.at = m->attached = m->resources->buffers.block;
    m->receive.at = m->resources->buffers.block + (1 << 19);
    m->state = op->hooks.state > 0 ? calloc(1, op->hooks.state) : NULL;
    m->form = op->form;
    m->peer = pattern->peer != NULL ? pattern->peer(m) : 0;
    number_messages(m, BLOCKS_FILLED * COUNT);
    if (op->hooks.init != NULL && op->hooks.init(m, &e) != 0)
        MPI_Abort(m->comm, 1);
    MPI_Barrier(m->comm);
    pattern_calls(m, op, 1);
    if (op->hooks.finalize != NULL)
        op->hooks.finalize(m);
    MPI_Barrier(m->comm);
    if (op->hooks.free != NULL)
        op->hooks.free(m);
    free(m->state);
    MPI_Barrier(m->comm);
}

/* Did the process receive exactly the messages that it should? */
static bool received(const struct measurement *m, const struct exchange *x)
{
    const struct type_info *t = m->suite->type;
    bool replaces = t->receive.once + t->receive.per_process == 0; /* what it sends */
    const int *receive = (const int *)(replaces ? m->send.at : m->receive.at);
    for (int i = 0; i < (x->messages == 0 ? m->size : x->messages); i++) {
        struct from f = x->from(m->rank, m->size, i);
        int first = f.rank < 0 ? 0 : number_sent(f.rank, f.block * COUNT);
        if (f.rank < 0 && replaces)
            return true;
        for (int k = 0; k < COUNT; k++)
            if (receive[i * COUNT + k] != (f.rank < 0 ? 0 : first + k))
                return false;
    }
    return true;
}

static void test_exchange(struct measurement *m, const struct registry *types,
                          const struct exchange *x)
{
    bool lacks = (suite_needs(m->params, m->suite) & registry_catalog(types).lacks) != 0;
    if (!lacks)
        exchange(m, registry_op(types, m->suite->type));
    tap(m->resources, lacks || received(m, x), "%s %s", m->suite->name,
        lacks ? "# skip: the library lacks it" : "exchanges the right data");
}

static void test_machine(struct resources *res, const struct params *p,
                         const struct registry *types)
{
    struct err e = { "" };
    struct setting s = { .processes = res->size, .length = COUNT * (long)sizeof(int) };
    small_buffers(res);
    for (int i = 0; i < EXCHANGES; i++) {
        struct measurement m;
        measurement_init(&m, res, p, &p->suites[i]);
        s.window = p->suites[i].options.window;
        s.spread = (int)p->suites[i].options.spread_number;
        measurement_prepare(&m, &s, &e);
        test_exchange(&m, types, &exchanges[i]);
        measurement_release(&m);
    }
}

TEST_PARAMETER_FILE(file, test_machine)
