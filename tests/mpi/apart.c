/* A result excludes a suite's first call, which is reported separately, and freeing what a
 * repetition made. Real operations are made slow there, slow enough that the result would show it.
 * TAP on rank 0. */
#include "../lib/on_machine.h"

#include "clock/clock.h"

static const double SLOW_S = 0.6;
static const double SLOW_FREE_S = 0.05;

static const char file[] = "@VERSION 4.1\n@MEMORY 64\n@ABSOLUTE yes\n@MINREPDEFAULT 4\n"
                           "@MAXREPDEFAULT 8\n@MEASUREMENTS\n"
                           "ping-pong { Type = 1; Start_Argument = 4; End_Argument = 4; }\n"
                           "exchange { Type = 8; Start_Argument = 4; End_Argument = 4; }\n"
                           "master { Type = 13; Start_Argument = 4; End_Argument = 4; }\n"
                           "barriers { Type = 17; Start_Argument = 4; End_Argument = 4; }\n"
                           "synchronised { Type = 47; Start_Argument = 4; End_Argument = 4; }\n"
                           "local { Type = 24; }\n"
                           "makes { Type = 76; Start_Argument = 2; End_Argument = 2; }\n";

/* The operation that is made slow, and where. */
static const struct op *real;
static int slow_rank;
static bool begun;

static void slow_at_first(const struct measurement *m)
{
    if (!begun && m->rank == slow_rank)
        clock_sleep(SLOW_S);
    begun = true;
}

static void server_op(struct measurement *m)
{
    slow_at_first(m);
    real->hooks.server_op(m);
}

static void client_op(struct measurement *m)
{
    slow_at_first(m);
    if (real->hooks.client_op != NULL)
        real->hooks.client_op(m);
    else
        real->hooks.server_op(m);
}

static int master_dispatch(struct measurement *m, int chunks)
{
    slow_at_first(m);
    return real->mw.master_dispatch(m, chunks);
}

static void finalize(struct measurement *m)
{
    real->hooks.finalize(m);
    if (m->rank == slow_rank)
        clock_sleep(SLOW_FREE_S);
}

static struct op with_slow_first(void)
{
    struct op op = *real;
    op.hooks.server_op = server_op;
    op.hooks.client_op = client_op;
    op.mw.master_dispatch = master_dispatch;
    return op;
}

static struct op with_slow_free(void)
{
    struct op op = *real;
    op.hooks.finalize = finalize;
    return op;
}

/* It is not a failure if nothing is valid because the machine is busy. */
static bool is_below(const struct block *b, double us, double limit_us)
{
    return b->count == 1 && (b->rows[0].stop == STOP_UNSYNCHRONISED || us < limit_us);
}

static bool is_told_apart(const struct block *b)
{
    double limit_us = 0.5e6 * SLOW_S;
    printf("# first call %.3f us, max %.3f us\n", b->first_call_us, b->rows[0].stats.max_us);
    return b->first_call_us > limit_us && b->first_argument == b->rows[0].argument &&
           is_below(b, b->rows[0].stats.max_us, limit_us);
}

static bool is_left_out(const struct block *b)
{
    printf("# min %.3f us\n", b->rows[0].stats.min_us);
    return is_below(b, b->rows[0].stats.min_us, 0.5e6 * SLOW_FREE_S);
}

static bool measures(struct suite_job *job, const struct registry *types, bool makes)
{
    const struct type_info *type = job->suite->type;
    struct block b;
    real = registry_op(types, type);
    begun = false;
    slow_rank = type->pattern == &mw_pattern.info || type->pattern == &simple_pattern.info ? 0 : 1;
    struct op op = makes ? with_slow_free() : with_slow_first();
    job->op = &op;
    job->dummy = registry_dummy(types, type->pattern);
    bool good = suite_measure(job, &b) == 0;
    if (good && job->resources->rank == 0)
        good = makes ? is_left_out(&b) : is_told_apart(&b);
    block_release(&b);
    return good;
}

static void test_all(struct resources *res, const struct params *p, const struct registry *types)
{
    for (size_t i = 0; i < p->suite_count; i++) {
        struct suite_job job = { .resources = res, .params = p, .suite = &p->suites[i] };
        bool makes = i + 1 == p->suite_count;
        tap(res, measures(&job, types, makes), "%s: %s", p->suites[i].name,
            makes ? "freeing is not timed" : "the first call is excluded");
    }
}

TEST_PARAMETER_FILE(file, test_all)
