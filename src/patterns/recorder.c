#include "patterns/recorder.h"

#include <float.h>

bool repetitions_valid(const struct repetitions *b, int i)
{
    for (int start = i; start < i + b->starts; start++)
        if (b->late[start] > 0.0)
            return false;
    return true;
}

int recorder_init(struct measurement *m, const struct recorder *row, const struct op *op,
                  struct err *e)
{
    struct values *of = m->recorded = calloc(1, row->bytes);
    m->recorder = row;
    if (of == NULL)
        return err_no_memory(e, row->bytes);
    for (int i = 0; i < row->values; i++)
        if (values_init(&of[i], m->suite->max_repetition + TOUCHES_MOST, e) != 0)
            return -1;
    return row->init == NULL ? 0 : row->init(of, m, op, e);
}

void recorder_release(struct measurement *m)
{
    struct values *of = m->recorded;
    for (int i = 0; of != NULL && i < m->recorder->values; i++)
        values_release(&of[i]);
    if (of != NULL && m->recorder->release != NULL)
        m->recorder->release(of);
    free(of);
    m->recorder = NULL;
    m->recorded = NULL;
}

/* Defines a function that calls a hook, if there is one. */
#define HOOK(hook, argument, ...)                                                                  \
    void recorder_##hook(struct measurement *m, argument)                                          \
    {                                                                                              \
        if (m->recorder != NULL && m->recorder->hook != NULL)                                      \
            m->recorder->hook(__VA_ARGS__, m->recorded);                                           \
    }

HOOK(before, int i, m, i)
HOOK(hold, int i, i)
HOOK(batch, const struct repetitions *b, m, b)
HOOK(conclude, double overhead_us, m, overhead_us)

void recorder_keep(struct measurement *m, int first, int kept)
{
    for (int i = 0; m->recorder != NULL && i < m->recorder->values; i++)
        values_keep((struct values *)m->recorded + i, first, kept);
}

double recorder_readings_s(const struct measurement *m)
{
    bool reads = m->recorder != NULL && m->recorder->readings_s != NULL;
    return reads ? m->recorder->readings_s(m, m->recorded) : 0.0;
}

void recorder_take(struct measurement *m, struct series *s, double seconds)
{
    const double us = seconds * 1e6, in_time = 0.0;
    values_add(&s->own, us);
    recorder_hold(m, 0);
    recorder_batch(m, &(struct repetitions){ 1, 1, &us, &us, &in_time });
}

struct summing recorded_how(const struct measurement *m)
{
    return (struct summing){ m->suite->cut_quantile, m->suite->options.error, 0.0 };
}

struct extra_value recorded_mean(const struct measurement *m, const struct values *v)
{
    return extra_mean(v, recorded_how(m));
}

struct parts parts_reduce(const struct measurement *m, bool speaks, double us, int number)
{
    const struct clock *c = &m->resources->clock;
    const double spoken_us = speaks ? us : 0.0;
    struct parts all = { spoken_us, speaks ? us : DBL_MAX, { spoken_us, number } };
    control_reduce(c, &all.sum_us, 1, MPI_DOUBLE, MPI_SUM, m->control);
    control_reduce(c, &all.fastest_us, 1, MPI_DOUBLE, MPI_MIN, m->control);
    control_reduce(c, &all.slowest, 1, MPI_DOUBLE_INT, MPI_MAXLOC, m->control);
    return all;
}
