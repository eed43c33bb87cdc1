/* Measures some types with fresh data on a simulated machine: every process rewrites its data at
 * once, and then the last rank needs 0.2 ms for it.
 *
 * prints lines "TYPE MICROSECONDS MICROSECONDS": without and with that delay. */
#include "../lib/on_machine.h"

#include "patterns/pattern.h"

#include <simgrid/actor.h>

static const double SLOW_S = 2e-4;

static const char file[] = "@VERSION 4.1\n"
                           "@MEMORY 4096\n"
                           "@DATA fresh\n"
                           "@CUTQUANTILEDEFAULT 0\n"
                           "@MAXREPDEFAULT 8\n"
                           "@MEASUREMENTS\n"
                           "type* { Type = 1, 8, 11, 17, 20, 33, 47, 55, 48, 61, 160, 170;\n"
                           "  Variation = Length; Scale = Fixed_linear; Start_Argument = 8192;\n"
                           "  End_Argument = 8192; }\n"
                           "together { Type = 20; Variation = Length; Scale = Fixed_linear;\n"
                           "  Start_Argument = 8192; End_Argument = 8192;\n"
                           "  Parameters = \"enter=together\"; }\n";

static void at_once(struct measurement *m)
{
}

static void slowly(struct measurement *m)
{
    if (m->resources->rank == m->resources->size - 1)
        sg_actor_sleep_for(SLOW_S);
}

/* Microseconds, on rank 0. */
static double measure(const struct suite_job *job, void (*rewrite)(struct measurement *))
{
    struct op op = *job->op;
    struct suite_job own = *job;
    struct block b;
    op.rewrite = rewrite;
    own.op = &op;
    int rc = suite_measure(&own, &b);
    double us = rc == 0 && b.count == 1 ? b.rows[0].stats.cleaned.mean_us : -1.0;
    block_release(&b);
    return us;
}

static void measure_all(struct resources *res, const struct params *p, const struct registry *types)
{
    resources_latencies(res, res->size);
    for (size_t i = 0; i < p->suite_count; i++) {
        const struct suite *s = &p->suites[i];
        const struct suite_job job = {
            .resources = res, .params = p, .suite = s, .op = registry_op(types, s->type)
        };
        double plain_us = measure(&job, at_once), slow_us = measure(&job, slowly);
        if (res->rank == 0)
            printf("%d %.6f %.6f\n", s->type->number, plain_us, slow_us);
    }
}

TEST_PARAMETER_FILE(file, measure_all)
