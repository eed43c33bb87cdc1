/* Collectives of neighbours exchange what the graph says: with several edges between two processes,
 * edges to oneself, a process without any, and different numbers of edges in and out. TAP on rank
 * 0. */
#include "../lib/on_machine.h"

#include "model/topology_rules.h"
#include "patterns/pattern.h"

enum { COUNT = 7, MAX_MESSAGES = 16 };

#define SUITE(type)                                                                                \
    "directed-" type " { Type = " type "; Virtual_Topology_Number = 1; }\n"                        \
    "graph-" type " { Type = " type "; Virtual_Topology_Number = 2; }\n"

static const char file[] = "@VERSION 4.2\n@MEMORY 1024\n"
                           "@TOPOLOGY1 Directed NOREORDER [1 1 3] [0] [] [3 0 0]\n"
                           "@TOPOLOGY2 Graph NOREORDER [1 3 1] [0 0 3] [] [0 1 3]\n"
                           "@MEASUREMENTS\n" //
    SUITE("102") SUITE("105") SUITE("283") SUITE("284") SUITE("285") SUITE("286") SUITE("327")
        SUITE("328") SUITE("329") SUITE("330") SUITE("331") SUITE("332");

/* From the rank, as the block that an all-to-all sends. */
struct expected {
    int rank, block;
};

/* Adds the edges from a process to this one, from the skip-th on, up to most. */
static int add_from(const struct topology *t, int from, int to, struct expected *list, int skip,
                    int most)
{
    int begin = from == 0 ? 0 : t->ends[from - 1], count = 0;
    for (int i = begin; i < t->ends[from] && count < most; i++)
        if (t->values[i] == to && skip-- <= 0)
            list[count++] = (struct expected){ from, i - begin };
    return count;
}

/* Directed: the sources by rank. Otherwise in the order of this process's neighbours. */
static int expect(const struct topology *t, int rank, struct expected *list)
{
    int count = 0, begin = rank == 0 ? 0 : t->ends[rank - 1];
    for (int from = 0; t->kind == TOPOLOGY_DIRECTED && from < t->count; from++)
        count += add_from(t, from, rank, list + count, 0, MAX_MESSAGES);
    for (int i = begin; t->kind == TOPOLOGY_GRAPH && i < t->ends[rank]; i++) {
        int before = 0;
        for (int k = begin; k < i; k++)
            before += t->values[k] == t->values[i];
        count += add_from(t, t->values[i], rank, list + count, before, 1);
    }
    return count;
}

/* Whether all of message i is that block of its sender. */
static bool is_block(const struct measurement *m, int i, const struct expected *from, int block)
{
    for (int k = 0; k < COUNT; k++)
        if (((const int *)m->receive.at)[i * COUNT + k] !=
            number_sent(from->rank, block * COUNT + k))
            return false;
    return true;
}

/* The message in the opposite place among those from the same process. */
static int reversed(const struct expected *list, int n, int i)
{
    int before = 0, other = n - 1;
    for (int k = 0; k < i; k++)
        before += list[k].rank == list[i].rank;
    for (; other >= 0; other--)
        if (list[other].rank == list[i].rank && before-- == 0)
            return other;
    return i;
}

/* MPICH reverses the messages of several edges between two processes in an all-to-all; 4.0 only in
 * that of parts of one length. */
static bool may_reverse(const struct measurement *m)
{
    bool reverses = false;
#ifdef MPICH_NUMVERSION
    static const int types[] = { 105, 328, 284, 285, 330, 331 };
    size_t count = MPICH_NUMVERSION < 40200000 ? 2 : sizeof(types) / sizeof(*types);
    for (size_t i = 0; i < count; i++)
        reverses = reverses || m->suite->type->number == types[i];
#endif
    return reverses;
}

/* Where the row says that message i comes from; nothing if several edges come from there. */
static bool has_origin(const struct measurement *m, const struct op *op,
                       const struct expected *list, int n, int i)
{
    struct origin from = op->origin(m, i);
    bool gathers = op->info.send.per_process == 0, several = false;
    for (int k = 0; k < n; k++)
        several = several || (k != i && list[k].rank == list[i].rank);
    if (several && !gathers)
        return from.rank == MPI_PROC_NULL;
    return from.rank == list[i].rank && from.message == (gathers ? 0 : list[i].block);
}

/* Exactly the expected messages; the memory after them is as before. */
static bool has_arrived(const struct measurement *m, const struct op *op)
{
    struct expected list[MAX_MESSAGES];
    int n = expect(suite_topology(m->params, m->suite), m->rank, list);
    bool gathers = op->info.send.per_process == 0;
    for (int i = 0; i < n; i++) {
        int other = may_reverse(m) ? list[reversed(list, n, i)].block : list[i].block;
        bool right = is_block(m, i, &list[i], gathers ? 0 : list[i].block) ||
                     (!gathers && is_block(m, i, &list[i], other));
        if (!right || !has_origin(m, op, list, n, i))
            return false;
    }
    for (int k = 0; k < COUNT; k++)
        if (((const int *)m->receive.at)[n * COUNT + k] != 0)
            return false;
    return true;
}

static bool suite_is_right(struct resources *res, const struct params *p, const struct suite *s,
                           const struct op *op)
{
    struct measurement m;
    struct setting setting = { .processes = topology_processes(p, s, res->size),
                               .length = COUNT * (long)sizeof(int) };
    bool right = true;
    measurement_init(&m, res, p, s);
    measurement_prepare(&m, &setting, NO_ERR);
    if (m.comm != MPI_COMM_NULL && pattern_begin(&m, op, 0, NO_ERR) == 0) {
        number_messages(&m, MAX_MESSAGES * COUNT);
        pattern_calls(&m, op, 1);
        right = has_arrived(&m, op);
        pattern_end(&m);
    }
    measurement_release(&m);
    return right;
}

static void test_machine(struct resources *res, const struct params *p,
                         const struct registry *types)
{
    small_buffers(res);
    for (size_t i = 0; i < p->suite_count; i++) {
        const struct suite *s = &p->suites[i];
        char label[SUITE_LABEL_SIZE];
        tap(res, suite_is_right(res, p, s, registry_op(types, s->type)), "%s",
            suite_label(s, label, sizeof(label)));
    }
}

TEST_PARAMETER_FILE(file, test_machine)
