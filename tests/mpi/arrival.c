/* Messages of an operation of two sides arrive where its row says. Every process fills its send
 * buffer with numbers that identify sender, message and place. TAP on rank 0. */
#include "../lib/on_machine.h"

#include "patterns/pattern.h"

enum { COUNT = 7, MAX_BLOCKS = 64 };

static const char file[] =
    "@VERSION 4.1\n@MEMORY 1024\n@MEASUREMENTS\n"
    "ready { Type = 1, 5, 7, 172, 173, 174; }\n"
    "stream { Type = 165, 166, 167, 168, 169, 171; Parameters = \"window=3 buffers=many\"; }\n"
    "one { Type = 165, 167; Parameters = \"window=3\"; }\n"
    "none { Type = 36, 61; Parameters = \"op=none\"; }\n"
    "pairs { Type = 160, 163; }\n"
    "pair-streams { Type = 175, 176, 177, 178; Parameters = \"window=3 buffers=many\"; }\n";

/* Message i of the receive buffer is the one that its origin sent. */
static bool has_arrived(const struct measurement *m, const struct op *op, int i)
{
    const int *message = (const int *)m->receive.at + (ptrdiff_t)i * COUNT;
    struct origin from = op->origin(m, i);
    for (int k = 0; k < COUNT; k++) {
        int sent = number_sent(from.rank, from.message * COUNT + k);
        if (message[k] != (from.rank == MPI_PROC_NULL ? 0 : sent))
            return false;
    }
    return true;
}

static bool all_arrived(struct measurement *m, const struct op *op)
{
    int n = (int)measurement_messages(m, &op->info.receive);
    bool arrived = true;
    number_messages(m, MAX_BLOCKS * COUNT);
    pattern_prepare(m, op);
    pattern_calls(m, op, 1);
    pattern_finalize(m, op);
    for (int i = 0; i < n; i++)
        arrived = arrived && has_arrived(m, op, i);
    return arrived;
}

/* op=none: what comes from another process changes nothing. */
static bool combines_nothing(const struct measurement *m)
{
    const int in[] = { 1, 2, 3 };
    int inout[] = { 4, 5, 6 };
    MPI_Reduce_local(in, inout, 3, MPI_INT, m->reduction);
    return inout[0] == 4 && inout[1] == 5 && inout[2] == 6;
}

/* The processes that take part call the operation twice: a second call finds nothing left over. */
static bool suite_arrives(struct resources *res, const struct params *p, const struct suite *s,
                          const struct registry *types)
{
    struct measurement m;
    struct setting setting = { .processes = res->size,
                               .partner = res->size - 1,
                               .length = COUNT * (long)sizeof(int),
                               .window = s->options.window };
    const struct op *op = registry_op(types, s->type);
    bool arrived = true;
    measurement_init(&m, res, p, s);
    measurement_prepare(&m, &setting, NO_ERR);
    if (pattern_takes_part(&m) && pattern_begin(&m, op, 0, NO_ERR) == 0) {
        if (s->options.op == COMBINE_NONE) {
            arrived = combines_nothing(&m);
        } else {
            arrived = all_arrived(&m, op);
            arrived = all_arrived(&m, op) && arrived;
        }
        pattern_end(&m);
    }
    measurement_release(&m);
    return arrived;
}

static void test_machine(struct resources *res, const struct params *p,
                         const struct registry *types)
{
    small_buffers(res);
    for (size_t i = 0; i < p->suite_count; i++) {
        char label[SUITE_LABEL_SIZE];
        tap(res, suite_arrives(res, p, &p->suites[i], types), "what %s sends arrives",
            suite_label(&p->suites[i], label, sizeof(label)));
    }
}

TEST_PARAMETER_FILE(file, test_machine)
