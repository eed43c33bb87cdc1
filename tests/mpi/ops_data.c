/* Does an operation made of other calls, or a non-blocking one, communicate what the collective
 * would? Every process fills its send buffer with numbers that identify sender, block and place,
 * both operations run, and the contents of the receive buffers are compared. TAP on rank 0. */
#include "../lib/on_machine.h"

#include "patterns/pattern.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 7, MAX_BLOCKS = 64, BLOCKS_FILLED = 8 };

static int tests, failures;

/* where: the data that the collective defines; a Gather defines it on the root only, an Exscan on
 * all processes but rank 0. */
enum where { AT_ROOT, EVERYWHERE, ABOVE_0 };

struct pair {
    int other, collective;
    enum where where;
    bool in_send_buffer; /* a broadcast's result */
    int blocks;          /* of the result: 1, or 0 for one per process */
};

static const struct pair pairs[] = {
    { 45, 33, AT_ROOT, false, 0 },     { 46, 33, AT_ROOT, false, 0 },
    { 41, 33, AT_ROOT, false, 0 },     { 40, 35, EVERYWHERE, false, 1 },
    { 42, 39, EVERYWHERE, false, 0 },  { 72, 17, EVERYWHERE, true, 1 },
    { 80, 17, EVERYWHERE, true, 1 },   { 74, 20, EVERYWHERE, false, 0 },
    { 78, 20, EVERYWHERE, false, 0 },  { 43, 20, EVERYWHERE, false, 0 },
    { 37, 36, EVERYWHERE, false, 1 },  { 44, 38, EVERYWHERE, false, 1 },
    { 19, 36, AT_ROOT, false, 1 },     { 241, 240, EVERYWHERE, false, 0 },
    { 240, 20, EVERYWHERE, false, 0 }, { 252, 20, EVERYWHERE, false, 0 },
    { 242, 33, AT_ROOT, false, 0 },    { 244, 39, EVERYWHERE, false, 0 },
    { 243, 35, EVERYWHERE, false, 1 }, { 245, 38, EVERYWHERE, false, 1 },
    { 281, 38, EVERYWHERE, false, 1 }, { 263, 17, EVERYWHERE, true, 1 },
    { 264, 36, EVERYWHERE, false, 1 }, { 265, 20, EVERYWHERE, false, 0 },
    { 340, 17, EVERYWHERE, true, 1 },  { 341, 19, AT_ROOT, false, 1 },
    { 342, 33, AT_ROOT, false, 0 },    { 343, 35, EVERYWHERE, false, 1 },
    { 344, 39, EVERYWHERE, false, 0 }, { 345, 39, EVERYWHERE, false, 0 },
    { 346, 36, EVERYWHERE, false, 1 }, { 347, 36, EVERYWHERE, false, 1 },
    { 348, 20, EVERYWHERE, false, 0 }, { 349, 20, EVERYWHERE, false, 0 },
    { 360, 33, AT_ROOT, false, 0 },    { 361, 33, AT_ROOT, false, 0 },
    { 362, 35, EVERYWHERE, false, 1 }, { 363, 35, EVERYWHERE, false, 1 },
    { 364, 39, EVERYWHERE, false, 0 }, { 365, 39, EVERYWHERE, false, 0 },
    { 366, 20, EVERYWHERE, false, 0 }, { 367, 20, EVERYWHERE, false, 0 },
    { 368, 19, AT_ROOT, false, 1 },    { 369, 38, EVERYWHERE, false, 1 },
    { 370, 38, EVERYWHERE, false, 1 }, { 371, 21, EVERYWHERE, false, 1 },
    { 372, 280, ABOVE_0, false, 1 },
};

/* For the overlap pattern; their root, if any, is always rank 0. */
static const struct pair non_blocking[] = {
    { 311, 17, EVERYWHERE, true, 1 },  { 312, 33, AT_ROOT, false, 0 },
    { 313, 33, AT_ROOT, false, 0 },    { 314, 35, EVERYWHERE, false, 1 },
    { 315, 35, EVERYWHERE, false, 1 }, { 316, 39, EVERYWHERE, false, 0 },
    { 317, 39, EVERYWHERE, false, 0 }, { 318, 20, EVERYWHERE, false, 0 },
    { 319, 20, EVERYWHERE, false, 0 }, { 320, 20, EVERYWHERE, false, 0 },
    { 321, 19, AT_ROOT, false, 1 },    { 322, 36, EVERYWHERE, false, 1 },
    { 323, 38, EVERYWHERE, false, 1 }, { 324, 38, EVERYWHERE, false, 1 },
    { 325, 21, EVERYWHERE, false, 1 }, { 326, 280, ABOVE_0, false, 1 },
};

/* With parts of unequal size: of the same elements, by the calls of two types. */
static const struct pair unequal[] = {
    { 241, 240, EVERYWHERE, false, 0 },
    { 244, 242, AT_ROOT, false, 0 },
    { 252, 240, EVERYWHERE, false, 0 },
};

/* By calls with large counts, where there are any. */
static const struct pair counted[] = {
    { 72, 17, EVERYWHERE, true, 1 },   { 41, 33, AT_ROOT, false, 0 },
    { 45, 33, AT_ROOT, false, 0 },     { 40, 35, EVERYWHERE, false, 1 },
    { 345, 39, EVERYWHERE, false, 0 }, { 42, 39, EVERYWHERE, false, 0 },
    { 74, 20, EVERYWHERE, false, 0 },  { 43, 20, EVERYWHERE, false, 0 },
    { 19, 36, AT_ROOT, false, 1 },     { 37, 36, EVERYWHERE, false, 1 },
    { 44, 38, EVERYWHERE, false, 1 },  { 281, 38, EVERYWHERE, false, 1 },
    { 371, 21, EVERYWHERE, false, 1 }, { 372, 280, ABOVE_0, false, 1 },
};

/* In place, calls have the results that they have with two buffers: these beside those of the lists
 * above. */
static const struct pair replacing[] = {
    { 19, 19, AT_ROOT, false, 1 },    { 20, 20, EVERYWHERE, false, 0 },
    { 21, 21, EVERYWHERE, false, 1 }, { 33, 33, AT_ROOT, false, 0 },
    { 35, 35, EVERYWHERE, false, 1 }, { 36, 36, EVERYWHERE, false, 1 },
    { 38, 38, EVERYWHERE, false, 1 }, { 39, 39, EVERYWHERE, false, 0 },
    { 280, 280, ABOVE_0, false, 1 },
};

/* Message i that a process has received: from which rank, and which block of its send buffer. A
 * rank of -1: none. */
struct from {
    int rank, block;
};

static struct from from_left(int rank, int size, int i)
{
    return (struct from){ (rank + size - 1) % size, 0 };
}

/* Each side has a block. The left one sent its first, to the right; the right one its second. */
static struct from from_both(int rank, int size, int i)
{
    return (struct from){ (rank + (i == 0 ? 1 : size - 1)) % size, 1 - i };
}

/* At distances 1, -1, s, -s, s + 1, -(s + 1), ... with s = 2 for up to 8 processes, not periodic.
 */
static struct from from_halo(int rank, int size, int i)
{
    static const int distances[] = { 1, -1, 2, -2, 3, -3, 1, -1 };
    static const int opposite[] = { 1, 0, 3, 2, 5, 4, 7, 6 };
    int from = rank + distances[i];
    return (struct from){ from < 0 || from >= size ? -1 : from, opposite[i] };
}

/* A Cartesian topology of one periodic dimension. */
static struct from from_ring(int rank, int size, int i)
{
    return from_both(rank, size, i);
}

/* Rings of up to three processes in random order cannot be predicted here; of all in natural order,
 * the first message is from the right, the second from the left. */
static struct from from_sides(int rank, int size, int i)
{
    return (struct from){ (rank + (i == 0 ? 1 : size - 1)) % size, i };
}

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

static struct from from_root(int rank, int size, int i)
{
    return (struct from){ rank == 0 ? -1 : 0, rank };
}

static struct from from_other(int rank, int size, int i)
{
    return (struct from){ rank != 0 || i == 0 ? -1 : i, 0 };
}

/* One-sided: what another process put here, or what this one got there. */
static struct from of_left(int rank, int size, int i)
{
    return (struct from){ i == (rank + size - 1) % size && i != rank ? i : -1, 0 };
}

static struct from of_right(int rank, int size, int i)
{
    return (struct from){ i == (rank + 1) % size && i != rank ? i : -1, 0 };
}

static struct from of_others(int rank, int size, int i)
{
    return (struct from){ i == rank ? -1 : i, 0 };
}

static struct from of_others_at_root(int rank, int size, int i)
{
    return rank == 0 ? of_others(rank, size, i) : (struct from){ -1, 0 };
}

static struct from of_root(int rank, int size, int i)
{
    return (struct from){ rank != 0 && i == 0 ? 0 : -1, 0 };
}

/* With root=1. */
static struct from from_1(int rank, int size, int i)
{
    return (struct from){ rank == 1 ? -1 : 1, rank };
}

static struct from from_1_scattered(int rank, int size, int i)
{
    return (struct from){ 1, rank };
}

static struct from from_others_to_1(int rank, int size, int i)
{
    return (struct from){ rank != 1 || i == 1 ? -1 : i, 0 };
}

static struct from from_all_to_1(int rank, int size, int i)
{
    return (struct from){ rank != 1 ? -1 : i, 0 };
}

static struct from of_each(int rank, int size, int i)
{
    return (struct from){ i, rank };
}

/* All go to the next rank, as the first blocks. */
static struct from of_left_alone(int rank, int size, int i)
{
    return (struct from){ (rank + size - 1) % size, i };
}

/* The one large part of an irregular collective is that of rank 1. */
static struct from of_large(int rank, int size, int i)
{
    return (struct from){ 1, i };
}

static struct from of_large_at_root(int rank, int size, int i)
{
    return rank == 0 ? of_large(rank, size, i) : (struct from){ -1, 0 };
}

static struct from for_large(int rank, int size, int i)
{
    return (struct from){ rank == 1 ? 0 : -1, i };
}

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
static struct from from_partner_window(int rank, int size, int i)
{
    return (struct from){ from_partner(rank, size, i).rank, i };
}

static struct from from_lower_window(int rank, int size, int i)
{
    return (struct from){ from_lower(rank, size, i).rank, i };
}

struct exchange {
    int messages; /* received; 0: one per process */
    struct from (*from)(int rank, int size, int i);
};

/* How many suites of the file, without the first three. */
static const struct exchange exchanges[] = {
    { 1, from_left },
    { 2, from_both },
    { 8, from_halo },
    { 8, from_halo },
    { 2, from_ring },
    { 2, from_sides },
    { 2, from_sides },
    { 2, from_small_ring },
    { 2, from_small_ring },
    { 2, from_small_ring },
    { 1, from_root },
    { 0, from_other },
    { 0, from_other },
    { 0, of_left },
    { 0, of_others },
    { 0, of_others_at_root },
    { 0, of_left },
    { 0, of_others_at_root },
    { 0, of_others },
    { 0, of_right },
    { 0, of_others },
    { 0, of_root },
    { 0, of_others },
    { 0, of_right },
    { 1, from_1 },
    { 0, from_others_to_1 },
    { 1, from_1_scattered },
    { 0, from_all_to_1 },
    { 0, from_all_to_1 },
    { 0, from_all_to_1 },
    { 0, of_each },
    { 0, of_each },
    { 0, of_left_alone },
    { 0, of_left_alone },
    { 0, of_large_at_root },
    { 0, of_large },
    { 0, for_large },
    { 1, from_partner },
    { 1, from_lower },
    { 1, from_lower },
    { 3, from_lower_window },
    { 3, from_partner_window },
    { 1, from_partner },
    { 1, from_partner },
};
enum { EXCHANGES = sizeof(exchanges) / sizeof(*exchanges) };

/* SETTINGS: the first suites of the file, which are not exchanges. */
enum { SETTINGS = 3, COUNTED = 2, LISTS = 13 };

static const struct {
    const struct pair *pairs;
    int count, suite;
    bool last_root, in_place;
} lists[LISTS] = {
    { pairs, sizeof(pairs) / sizeof(*pairs), .suite = 0 },
    { pairs, sizeof(pairs) / sizeof(*pairs), 0, .last_root = true },
    { non_blocking, sizeof(non_blocking) / sizeof(*non_blocking), .suite = 0 },
    { unequal, sizeof(unequal) / sizeof(*unequal), .suite = 1 },
    { counted, sizeof(counted) / sizeof(*counted), .suite = COUNTED },
    { counted, sizeof(counted) / sizeof(*counted), COUNTED, .last_root = true },
    { replacing, sizeof(replacing) / sizeof(*replacing), 0, false, true },
    { replacing, sizeof(replacing) / sizeof(*replacing), 0, true, true },
    { replacing, sizeof(replacing) / sizeof(*replacing), COUNTED, true, true },
    { pairs, sizeof(pairs) / sizeof(*pairs), 0, false, true },
    { pairs, sizeof(pairs) / sizeof(*pairs), 0, true, true },
    { counted, sizeof(counted) / sizeof(*counted), COUNTED, true, true },
    { non_blocking, sizeof(non_blocking) / sizeof(*non_blocking), 0, false, true },
};

/* A window of all buffers, wherever the test puts its messages. */
#define WHOLE "data=cold memory=create "

static const char file[] =
    "@VERSION 4.1\n@MEMORY 1024\n@TOPOLOGY1 Cartesian NOREORDER 1 yes\n@MEASUREMENTS\n"
    "all { Type = 240; Parameters = \"spread=uniform\"; }\n"
    "unequal { Type = 240; Parameters = \"spread=linear\"; }\n"
    "counted { Type = 20; Parameters = \"counts=c\"; }\n"
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
    "out1 { Type = 187; Parameters = \"root=1\"; }\n"
    "in1 { Type = 188; Parameters = \"root=1\"; }\n"
    "scatter1 { Type = 35; Parameters = \"root=1\"; }\n"
    "gather1 { Type = 33; Parameters = \"root=1\"; }\n"
    "gather_SR1 { Type = 45; Parameters = \"root=1\"; }\n"
    "gather_ISWA1 { Type = 46; Parameters = \"root=1\"; }\n"
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

static bool is_defined(const struct measurement *m, const struct pair *p)
{
    return p->where == EVERYWHERE || (p->where == AT_ROOT ? m->rank == m->root : m->rank > 0);
}

/* Objects that are created once are used twice, with new data. */
static void call(struct measurement *m, const struct op *op)
{
    int times = (op->info.traits & TYPE_BOUND) != 0 ? 2 : 1;
    for (int i = 0; i < times; i++) {
        if (i > 0)
            number_messages(m, BLOCKS_FILLED * COUNT);
        MPI_Barrier(m->comm);
        pattern_calls(m, op, 1);
        if (op->hooks.finalize != NULL)
            op->hooks.finalize(m);
        MPI_Barrier(m->comm);
    }
}

static void use_buffers(struct measurement *m)
{
    m->send.at = m->attached = m->resources->buffers.block;
    m->receive.at = m->resources->buffers.block + (1 << 19);
}

/* Puts one buffer into the other, as the measurement does. */
static void use_one_buffer(struct measurement *m, const struct op *op)
{
    size_t part = (size_t)m->rank * COUNT * sizeof(int);
    bool source = op->info.in_place == IN_PLACE_OF_SOURCE;
    m->send.at = m->receive.at = m->resources->buffers.block;
    *(source ? &m->receive.at : &m->send.at) += op->info.in_place == IN_PLACE_OF_RESULTS ? 0 : part;
}

static void result_of(struct measurement *m, const struct op *op, const struct pair *p, int *result)
{
    const struct pattern *pattern = pattern_of(m->suite);
    struct err e = { "" };
    use_buffers(m);
    if (m->in_place)
        use_one_buffer(m, op);
    m->state = op->hooks.state > 0 ? calloc(1, op->hooks.state) : NULL;
    m->form = op->form;
    m->peer = pattern->peer != NULL ? pattern->peer(m) : 0;
    number_messages(m, BLOCKS_FILLED * COUNT);
    if (op->hooks.init != NULL && op->hooks.init(m, &e) != 0)
        MPI_Abort(m->comm, 1);
    call(m, op);
    if (op->hooks.free != NULL)
        op->hooks.free(m);
    free(m->state);
    MPI_Barrier(m->comm);
    memset(result, 0, MAX_BLOCKS * COUNT * sizeof(int));
    if (!is_defined(m, p))
        return;
    int blocks = p->blocks == 0 ? m->size : p->blocks;
    memcpy(result, p->in_send_buffer ? m->send.at : m->receive.at,
           (size_t)(blocks * COUNT) * sizeof(int));
}

/* Collective types whose data are not compared here. */
static const struct {
    int first, last;
    const char *why;
} elsewhere[] = {
    { 23, 31, "moves nothing" },
    { 58, 59, "moves nothing" },
    { 86, 91, "derived.t" },
    { 102, 105, "neighbours.t" },
    { 135, 136, "application_check.t" },
    { 282, 282, "reductions.t" },
    { 283, 286, "neighbours.t" },
    { 327, 332, "neighbours.t" },
    { 333, 338, "files.t" },
    { 380, 396, "moves nothing" },
};

static const struct op *op_of(const struct registry *types, int number)
{
    struct catalog catalog = registry_catalog(types);
    return registry_op(types, catalog_find(&catalog, number));
}

static bool is_zero(const int *values)
{
    for (int i = 0; i < MAX_BLOCKS * COUNT; i++)
        if (values[i] != 0)
            return false;
    return true;
}

/* Counts are equal on all processes, and not empty at the root, or on the last process if the
 * root's are not defined; a broadcast's data are the root's. */
static bool same_data(struct measurement *m, const struct registry *types, const struct pair *p,
                      bool in_place)
{
    static int one[MAX_BLOCKS * COUNT], other[MAX_BLOCKS * COUNT];
    m->in_place = in_place;
    result_of(m, op_of(types, p->other), p, one);
    m->in_place = false;
    result_of(m, op_of(types, p->collective), p, other);
    int full = p->where == ABOVE_0 ? m->size - 1 : m->root;
    int same = memcmp(one, other, sizeof(one)) == 0 && (m->rank != full || !is_zero(one));
    if (p->in_send_buffer)
        same = same && one[0] == number_sent(m->root, 0);
    int all;
    MPI_Allreduce(&same, &all, 1, MPI_INT, MPI_MIN, m->comm);
    return all != 0;
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

static void report(struct measurement *m, bool right, const char *what, const char *than)
{
    int own = right, all;
    MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MIN, m->comm);
    failures += !all;
    tests++;
    if (m->resources->rank == 0)
        printf("%s %d - %s %s\n", all ? "ok" : "not ok", tests, what, than);
}

static const char skipped[] = "# skip: the library lacks it";

static void test_exchange(struct measurement *m, const struct registry *types,
                          const struct exchange *x)
{
    const struct pair alone = { .where = EVERYWHERE };
    const struct op *op = registry_op(types, m->suite->type);
    bool lacks = (suite_needs(m->params, m->suite) & registry_catalog(types).lacks) != 0;
    static int result[MAX_BLOCKS * COUNT];
    if (!lacks)
        result_of(m, op, &alone, result);
    report(m, lacks || received(m, x), m->suite->name,
           lacks ? skipped : "exchanges the right data");
}

static void test_pair(struct measurement *m, const struct registry *types, const struct pair *p,
                      bool in_place)
{
    const struct op *other = op_of(types, p->other);
    unsigned needs = other->info.needs | suite_needs(m->params, m->suite);
    bool lacks = (needs & registry_catalog(types).lacks) != 0;
    char what[160];
    snprintf(what, sizeof(what), "%s%s, root %d, does what %s does, suite '%s'", other->info.name,
             in_place ? " in place" : "", m->root, op_of(types, p->collective)->info.name,
             m->suite->name);
    report(m, lacks || same_data(m, types, p, in_place), what, lacks ? skipped : "");
}

/* The root of a type that cannot have another one is always rank 0. */
static bool is_compared_in(const struct op *op, int list)
{
    return (!lists[list].last_root || (op->info.traits & TYPE_ROOTED) != 0) &&
           (!lists[list].in_place || op->info.in_place != NEVER_IN_PLACE) &&
           (!lists[list].in_place || lists[list].suite != COUNTED ||
            type_counts_by(&op->info, COUNTS_C));
}

static void test_lists(struct measurement *m, const struct registry *types, int suite)
{
    m->reduction = MPI_SUM; /* of all pairs, though type 240 has no operation */
    for (int l = 0; l < LISTS; l++) {
        m->root = lists[l].last_root ? m->size - 1 : 0;
        for (int i = 0; i < lists[l].count && lists[l].suite == suite; i++)
            if (is_compared_in(op_of(types, lists[l].pairs[i].other), l))
                test_pair(m, types, &lists[l].pairs[i], lists[l].in_place);
    }
}

static bool is_compared(const struct registry *types, const struct params *p, const struct op *op)
{
    for (int l = 0; l < LISTS; l++)
        for (int i = 0; i < lists[l].count; i++)
            if (op_of(types, lists[l].pairs[i].other) == op ||
                op_of(types, lists[l].pairs[i].collective) == op)
                return true;
    for (size_t i = SETTINGS; i < p->suite_count; i++)
        if (registry_op(types, p->suites[i].type) == op)
            return true;
    return false;
}

/* Is an operation that can be in place in a list of those? */
static bool is_compared_in_place(const struct registry *types, const struct op *op)
{
    for (int l = 0; l < LISTS; l++)
        for (int i = 0; i < lists[l].count; i++)
            if (lists[l].in_place && op_of(types, lists[l].pairs[i].other) == op)
                return true;
    return op->info.in_place == NEVER_IN_PLACE;
}

static bool is_elsewhere(int number)
{
    for (size_t i = 0; i < sizeof(elsewhere) / sizeof(*elsewhere); i++)
        if (number >= elsewhere[i].first && number <= elsewhere[i].last)
            return true;
    return false;
}

/* Does any test look at the data of each collective type that has some? */
static void test_complete(struct measurement *m, const struct params *p,
                          const struct registry *types)
{
    for (size_t i = 0; i < types->count; i++) {
        const struct type_info *t = &types->types[i];
        bool collective = t->pattern == &col_pattern.info || t->pattern == &syncol_pattern.info ||
                          t->pattern == &overlap_pattern.info;
        if (collective && (t->traits & TYPE_HAS_LENGTH) != 0 && !is_elsewhere(t->number))
            report(m,
                   is_compared(types, p, types->ops[i]) &&
                       is_compared_in_place(types, types->ops[i]),
                   t->name, "is compared, or in the list elsewhere");
    }
}

static int test_machine(struct resources *res, const struct params *p, const struct registry *types)
{
    struct err e = { "" };
    struct setting s = { .processes = res->size, .length = COUNT * (long)sizeof(int) };
    buffers_release(&res->buffers);
    buffers_init(&res->buffers, 1 << 20, &e);
    for (int i = 0; i < SETTINGS + EXCHANGES; i++) {
        struct measurement m;
        measurement_init(&m, res, p, &p->suites[i]);
        s.window = p->suites[i].options.window;
        s.spread = (int)p->suites[i].options.spread_number;
        measurement_prepare(&m, &s, &e);
        if (i < SETTINGS)
            test_lists(&m, types, i);
        else
            test_exchange(&m, types, &exchanges[i - SETTINGS]);
        if (i == 0)
            test_complete(&m, p, types);
        measurement_release(&m);
    }
    if (res->rank == 0)
        printf("1..%d\n", tests);
    return failures;
}

int main(void)
{
    return test_parameter_file(file, test_machine);
}
