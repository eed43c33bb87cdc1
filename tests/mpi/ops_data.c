/* Does each process receive the messages that it should, by code of this test? Every process fills
 * its send buffer with numbers that identify sender, block and place. Operations in which it is not
 * obvious who exchanges what with whom. TAP on rank 0. */
#include "../lib/on_machine.h"

#include "patterns/pattern.h"

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

/* A window of all buffers, wherever the test puts its messages. */
#define WHOLE      "data=cold memory=create "
#define KEYS(keys) "Parameters = \"" keys "\";"

static const struct exchange {
    int type;
    const char *fields;
    int messages; /* received; 0: one per process */
    struct from (*from)(int rank, int size, int i);
} exchanges[] = {
    { 183, "", 1, from_left },
    { 184, "", 2, from_both },
    { 185, KEYS("partners=8 periodic=no"), 8, from_halo },
    { 185, KEYS("partners=8 periodic=no wait=any"), 8, from_halo },
    { 186, "Virtual_Topology_Number = 1;", 2, from_both },
    { 189, "", 2, from_sides },
    { 191, "", 2, from_sides },
    { 189, KEYS("ring=2"), 2, from_small_ring },
    { 190, KEYS("ring=2"), 2, from_small_ring },
    { 191, KEYS("ring=2"), 2, from_small_ring },
    { 187, "", 1, from_root },
    { 188, "", 0, from_other },
    { 188, KEYS("wait=any"), 0, from_other },
    { 211, KEYS(WHOLE "sync=fence targets=next"), 0, of_left },
    { 211, KEYS(WHOLE "sync=pscw targets=all"), 0, of_others },
    { 211, KEYS(WHOLE "sync=lock targets=root"), 0, of_others_at_root },
    { 213, KEYS(WHOLE "sync=notify targets=next"), 0, of_left },
    { 214, KEYS(WHOLE "sync=flush_local targets=root"), 0, of_others_at_root },
    { 217, KEYS(WHOLE "sync=flush targets=all"), 0, of_others },
    { 212, KEYS(WHOLE "sync=flush targets=next"), 0, of_right },
    { 212, KEYS("data=cold memory=dynamic sync=fence assert=all targets=all"), 0, of_others },
    { 212, KEYS(WHOLE "sync=pscw targets=root"), 0, of_root },
    { 218, KEYS(WHOLE "sync=lock lock=exclusive targets=all"), 0, of_others },
    { 218, KEYS(WHOLE "sync=notify targets=next"), 0, of_right },
    { 240, KEYS("spread=uniform"), 0, of_each },
    { 241, KEYS("spread=uniform"), 0, of_each },
    { 240, KEYS("spread=sparse:1"), 0, of_left_alone },
    { 241, KEYS("spread=one_large:100"), 0, of_left_alone },
    { 242, KEYS("spread=one_large:100"), 0, of_large_at_root },
    { 244, KEYS("spread=one_large:100"), 0, of_large },
    { 243, KEYS("spread=one_large:100"), 0, for_large },
    { 300, "", 1, from_partner },
    { 301, "", 1, from_lower },
    { 302, "", 1, from_lower },
    { 374, KEYS("window=3 buffers=many"), 3, from_lower_window },
    { 376, KEYS("window=3 buffers=many"), 3, from_partner_window },
    { 303, "", 1, from_partner },
    { 304, "", 1, from_partner },
};
enum { EXCHANGES = sizeof(exchanges) / sizeof(*exchanges) };

static void exchange(struct measurement *m, const struct op *op)
{
    const struct pattern *pattern = m->pattern = pattern_of(m->suite);
    m->send.at = m->attached = m->resources->buffers.block;
    m->receive.at = m->resources->buffers.block + (1 << 19);
    m->state = op->hooks.state > 0 ? calloc(1, op->hooks.state) : NULL;
    m->form = op->form;
    m->hooks = &op->hooks;
    m->peer = pattern->peer != NULL ? pattern->peer(m) : 0;
    number_messages(m, BLOCKS_FILLED * COUNT);
    if (op->hooks.init != NULL)
        op->hooks.init(m);
    if (op->hooks.try_init != NULL && op->hooks.try_init(m, NO_ERR) != 0)
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
    struct setting s = { .processes = res->size, .length = COUNT * (long)sizeof(int) };
    small_buffers(res);
    for (int i = 0; i < EXCHANGES; i++) {
        struct measurement m;
        measurement_init(&m, res, p, &p->suites[i]);
        s.window = p->suites[i].options.window;
        s.spread = (int)p->suites[i].options.spread_number;
        measurement_prepare(&m, &s, NO_ERR);
        test_exchange(&m, types, &exchanges[i]);
        measurement_release(&m);
    }
}

static void add_suites(const struct registry *types, struct text *file)
{
    text_add(file,
             "@VERSION 4.1\n@MEMORY 1024\n@TOPOLOGY1 Cartesian NOREORDER 1 yes\n@MEASUREMENTS\n");
    for (int i = 0; i < EXCHANGES; i++)
        text_add(file, "s%d_%d { Type = %d; %s }\n", i, exchanges[i].type, exchanges[i].type,
                 exchanges[i].fields);
}

TEST_MADE_FILE(add_suites, test_machine)
