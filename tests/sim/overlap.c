/* Operations of the overlap pattern whose overlap is known, on a simulated machine that
 * communicates by itself: a message that is sent before the work is hidden, one that is sent after
 * it is not.
 *
 * prints lines "OPERATION PERCENT TIME PURE WORK HIDDEN OVERLAP AVAILABILITY OSU IMB OFF" */
#include "../lib/on_machine.h"

#include "patterns/overlap.h"

#include <math.h>

enum { TAG = 1 };

static const char file[] = "@VERSION 4.1\n"
                           "@MEMORY 4096\n"
                           "@CUTQUANTILEDEFAULT 0\n"
                           "@MINREPDEFAULT 5\n"
                           "@MAXREPDEFAULT 5\n"
                           "@MEASUREMENTS\n"
                           "A { Type = 300; Variation = Work; Scale = Fixed_linear;\n"
                           "  Start_Argument = 0; End_Argument = 200; Stepwidth = 50;\n"
                           "  Default_Message_length = 4096; }\n";

static void exchange(struct measurement *m, MPI_Request *requests)
{
    int partner = m->rank ^ 1;
    MPI_Irecv(m->receive.at, m->receive.count / 2, m->receive.type, partner, TAG, m->comm,
              requests);
    MPI_Isend(m->send.at, m->send.count / 2, m->send.type, partner, TAG, m->comm, requests + 1);
}

static void exchange_now(struct measurement *m)
{
    MPI_Request requests[2];
    exchange(m, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void all(struct measurement *m)
{
    MPI_Request requests[2];
    exchange(m, requests);
    overlap_wait(m, requests, 2);
}

static void half(struct measurement *m)
{
    all(m);
    exchange_now(m);
}

static void none(struct measurement *m)
{
    overlap_wait(m, NULL, 0);
    exchange_now(m);
}

/* Only the even ranks compute. */
static void some(struct measurement *m)
{
    if (m->rank % 2 == 0)
        all(m);
    else
        exchange_now(m);
}

/* Hides every other time. */
static void sometimes(struct measurement *m)
{
    static int calls;
    (calls++ / 2 % 2 == 0 ? all : none)(m);
}

/* Each call takes two ticks longer than the one before: a machine that becomes slower. */
static void slower(struct measurement *m)
{
    static int calls;
    double (*now)(void) = m->resources->clock.now;
    all(m);
    for (double end = now() + 20e-9 * calls++; now() < end;)
        ;
}

static const struct {
    const char *name;
    void (*operation)(struct measurement *m);
} operations[] = { { "all", all },   { "half", half },           { "none", none },
                   { "some", some }, { "sometimes", sometimes }, { "slower", slower } };

static void measure(const struct suite_job *job, const char *name)
{
    struct block b;
    suite_measure(job, &b);
    for (size_t i = 0; i < b.count; i++) {
        const struct row *row = &b.rows[i];
        printf("%s %ld %.6f", name, row->argument, row->stats.cleaned.mean_us);
        for (int k = 0; k < MAX_EXTRA; k++) /* a share with a large error is not known */
            printf(" %.6f", row->extra[k].error > SHARE_KNOWN ? NAN : row->extra[k].value);
        printf("\n");
    }
    block_release(&b);
}

static void measure_all(struct resources *res, const struct params *p, const struct registry *types)
{
    for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++) {
        struct op op = *registry_op(types, p->suites[0].type);
        op.hooks = (struct op_hooks){ .server_op = operations[i].operation };
        measure(
            &(const struct suite_job){
                .resources = res, .params = p, .suite = p->suites, .op = &op },
            operations[i].name);
    }
}

TEST_PARAMETER_FILE(file, measure_all)
