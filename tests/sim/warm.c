/* Measures some types on a simulated machine whose first calls of a visit are slower: of a single
 * one, with warmup=auto and without, and of ten.
 *
 * arguments: how many calls are slower
 * prints lines "auto|no|ten TYPE MICROSECONDS WARMUP", WARMUP: how many repetitions did not count.
 */
#include "../lib/on_machine.h"

#include "patterns/pattern.h"

#include <simgrid/actor.h>

static const double SLOW_S = 2e-4;

#define SUITE(bytes)                                                                               \
    " { Type = 1, 8, 17, 61, 160, 240; Variation = Length; Scale = Fixed_linear;"                  \
    " Start_Argument = " bytes "; End_Argument = " bytes "; "
static const char file[] =
    "@VERSION 4.2\n@MEMORY 4096\n@CUTQUANTILEDEFAULT 0\n@MINREPDEFAULT 8\n"
    "@MAXREPDEFAULT 40\n@STANDARDERRORDEFAULT 0.2\n@MEASUREMENTS\n"
    "cold*" SUITE("8192") "Parameters = \"passes=1\"; }\n"
                          "warm*" SUITE("8192") "Parameters = \"passes=1 warmup=auto\"; }\n"
                                                "ten*" SUITE("65536") "}\n";

static struct {
    const struct op *op;
    int calls, slow, visit;
} planted;

static void wait_at_first(struct measurement *m)
{
    if (m->at.visit != planted.visit)
        planted.calls = 0;
    planted.visit = m->at.visit;
    if (planted.calls++ < planted.slow)
        sg_actor_sleep_for(SLOW_S);
}

static void server(struct measurement *m)
{
    wait_at_first(m);
    planted.op->hooks.server_op(m);
}

static void client(struct measurement *m)
{
    wait_at_first(m);
    planted.op->hooks.client_op(m);
}

static struct row measured(const struct suite_job *job, int slow)
{
    struct op op = *job->op;
    struct suite_job own = *job;
    struct block b;
    planted.op = job->op;
    planted.calls = 0;
    planted.slow = slow;
    if (op.hooks.server_op != NULL)
        op.hooks.server_op = server;
    if (op.hooks.client_op != NULL)
        op.hooks.client_op = client;
    own.op = &op;
    int rc = suite_measure(&own, &b);
    struct row row = { .warmup = -1 };
    if (rc == 0 && b.count == 1)
        row = b.rows[0];
    block_release(&b);
    return row;
}

static int slow_calls;

static void measure_all(struct resources *res, const struct params *p, const struct registry *types)
{
    resources_latencies(res, res->size);
    for (size_t i = 0; i < p->suite_count; i++) {
        const struct suite *s = &p->suites[i];
        const struct suite_job job = {
            .resources = res, .params = p, .suite = s, .op = registry_op(types, s->type)
        };
        struct row row = measured(&job, slow_calls);
        if (res->rank == 0)
            printf("%s %d %.6f %d\n",
                   s->options.passes == PASSES_AUTO   ? "ten"
                   : s->options.warmup == WARMUP_AUTO ? "auto"
                                                      : "no",
                   s->type->number, row.stats.cleaned.mean_us, row.warmup);
    }
}

int main(int argc, char **argv)
{
    slow_calls = argc > 1 ? atoi(argv[1]) : 0;
    return test_parameter_file(file, measure_all);
}
