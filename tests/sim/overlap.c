/* Operations of the overlap pattern whose overlap is known, on a simulated machine that
 * communicates by itself: a message that is sent before the work is hidden, one that is sent after
 * it is not.
 *
 * prints lines "OPERATION PERCENT TIME PURE WORK HIDDEN OVERLAP AVAILABILITY OSU IMB OFF" */
#include "../lib/on_machine.h"

#include "patterns/suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { TAG = 1 };

static const char file[] = "@VERSION 4.1\n"
                           "@MEMORY 4096\n"
                           "@CUTQUANTILEDEFAULT 0\n"
                           "@MINREPDEFAULT 4\n"
                           "@MAXREPDEFAULT 4\n"
                           "@MEASUREMENTS\n"
                           "A { Type = 300; Variation = Work; Scale = Fixed_linear;\n"
                           "  Start_Argument = 0; End_Argument = 200; Stepwidth = 50;\n"
                           "  Default_Message_length = 4096; }\n";

static void exchange(struct run *r, MPI_Request *requests)
{
    int partner = r->rank ^ 1;
    MPI_Irecv(r->receive.at, r->receive.count / 2, r->receive.type, partner, TAG, r->comm,
              requests);
    MPI_Isend(r->send.at, r->send.count / 2, r->send.type, partner, TAG, r->comm, requests + 1);
}

static void exchange_now(struct run *r)
{
    MPI_Request requests[2];
    exchange(r, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void all(struct run *r)
{
    MPI_Request requests[2];
    exchange(r, requests);
    overlap_wait(r, requests, 2);
}

static void half(struct run *r)
{
    all(r);
    exchange_now(r);
}

static void none(struct run *r)
{
    overlap_wait(r, NULL, 0);
    exchange_now(r);
}

/* Only the even ranks compute. */
static void some(struct run *r)
{
    if (r->rank % 2 == 0)
        all(r);
    else
        exchange_now(r);
}

/* Hides every other time. */
static void sometimes(struct run *r)
{
    static int calls;
    (calls++ / 2 % 2 == 0 ? all : none)(r);
}

/* Each call takes two ticks longer than the one before: a machine that becomes slower. */
static void slower(struct run *r)
{
    static int calls;
    double (*now)(void) = r->machine->clock.now;
    all(r);
    for (double end = now() + 20e-9 * calls++; now() < end;)
        ;
}

static const struct {
    const char *name;
    void (*operation)(struct run *r);
} operations[] = { { "all", all },   { "half", half },           { "none", none },
                   { "some", some }, { "sometimes", sometimes }, { "slower", slower } };

static void measure(const struct suite_job *job, const char *name)
{
    struct block b;
    struct err e = { "" };
    if (suite_measure(job, &b, &e) != 0)
        fprintf(stderr, "overlap: %s\n", e.text);
    for (size_t i = 0; i < b.count; i++) {
        const struct row *row = &b.rows[i];
        printf("%s %ld %.6f", name, row->argument, row->stats.cleaned.mean_us);
        for (int k = 0; k < MAX_EXTRA; k++) /* a share with a large error is not known */
            printf(" %.6f", row->extra[k].error > SHARE_KNOWN ? NAN : row->extra[k].value);
        printf("\n");
    }
    block_release(&b);
}

static int measure_all(struct machine *m, const struct params *p, const struct registry *types)
{
    for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++) {
        struct op op = *registry_op(types, p->suites[0].type);
        op.hooks = (struct op_hooks){ .server_op = operations[i].operation };
        measure(
            &(const struct suite_job){ .machine = m, .params = p, .suite = p->suites, .op = &op },
            operations[i].name);
    }
    return 0;
}

int main(void)
{
    return test_parameter_file(file, measure_all);
}
