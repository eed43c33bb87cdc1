#include "patterns/recorder.h"

#include "patterns/op.h"

#include <float.h>

bool repetitions_valid(const struct repetitions *b, int i)
{
    for (int start = i; start < i + b->starts; start++)
        if (b->late[start] > 0.0)
            return false;
    return true;
}

static int make(struct run *r, const struct op *op, struct err *e)
{
    const struct recorder *row = r->recorder;
    struct values *of = r->recorded = calloc(1, row->bytes);
    if (of == NULL)
        return err_no_memory(e, row->bytes);
    for (int i = 0; i < row->values; i++)
        if (values_init(&of[i], r->suite->max_repetition, e) != 0)
            return -1;
    return row->init == NULL ? 0 : row->init(of, r, op, e);
}

int recorder_init(struct run *r, const struct op *op, struct err *e)
{
    r->recorder = op->recorder != NULL ? op->recorder : pattern_of(r->suite)->recorder;
    return r->recorder == NULL ? 0 : pattern_agree(r, make(r, op, e), e);
}

void recorder_release(struct run *r)
{
    struct values *of = r->recorded;
    for (int i = 0; of != NULL && i < r->recorder->values; i++)
        values_release(&of[i]);
    if (of != NULL && r->recorder->release != NULL)
        r->recorder->release(of);
    free(of);
    r->recorder = NULL;
    r->recorded = NULL;
}

/* Defines a function that calls a hook, if there is one. */
#define HOOK(hook, argument, ...)                                                                  \
    void recorder_##hook(struct run *r, argument)                                                  \
    {                                                                                              \
        if (r->recorder != NULL && r->recorder->hook != NULL)                                      \
            r->recorder->hook(__VA_ARGS__, r->recorded);                                           \
    }

HOOK(before, int i, r, i)
HOOK(hold, int i, i)
HOOK(batch, const struct repetitions *b, r, b)
HOOK(conclude, double overhead_us, r, overhead_us)

void recorder_cut(struct run *r, int kept)
{
    for (int i = 0; r->recorder != NULL && i < r->recorder->values; i++)
        values_cut((struct values *)r->recorded + i, kept);
}

double recorder_readings_s(const struct run *r)
{
    bool reads = r->recorder != NULL && r->recorder->readings_s != NULL;
    return reads ? r->recorder->readings_s(r, r->recorded) : 0.0;
}

void recorder_take(struct run *r, struct series *s, double seconds)
{
    const double us = seconds * 1e6, in_time = 0.0;
    values_add(&s->own, us);
    recorder_hold(r, 0);
    recorder_batch(r, &(struct repetitions){ 1, 1, &us, &us, &in_time });
}

struct extra_value recorded_mean(const struct run *r, const struct values *v)
{
    struct summing how = { r->suite->cut_quantile, r->suite->options.error, 0.0 };
    if (v->n == 0)
        return (struct extra_value){ NAN, NAN };
    memcpy(v->sorted, v->list, (size_t)v->n * sizeof(double));
    struct summary s = stats_of(v->sorted, v->n, how).cleaned;
    return (struct extra_value){ s.mean_us, s.error_us };
}

struct parts parts_reduce(const struct run *r, bool speaks, double us, int number)
{
    const struct clock *c = &r->machine->clock;
    const double spoken_us = speaks ? us : 0.0;
    struct parts all = { spoken_us, speaks ? us : DBL_MAX, { spoken_us, number } };
    control_reduce(c, &all.sum_us, 1, MPI_DOUBLE, MPI_SUM, r->control);
    control_reduce(c, &all.fastest_us, 1, MPI_DOUBLE, MPI_MIN, r->control);
    control_reduce(c, &all.slowest, 1, MPI_DOUBLE_INT, MPI_MAXLOC, r->control);
    return all;
}

void group_times_add(struct group_times *s, double mean_us, double fastest_us, double slowest)
{
    values_add(&s->mean_us, mean_us);
    values_add(&s->fastest_us, fastest_us);
    values_add(&s->slowest, slowest);
}

void group_times_conclude(const struct group_times *s, const struct run *r, double overhead_us,
                          struct extra_value extra[2])
{
    extra[0] = recorded_mean(r, &s->mean_us);
    extra[1] = recorded_mean(r, &s->fastest_us);
    extra[0].value -= overhead_us;
    extra[1].value -= overhead_us;
}

double group_times_slowest(struct group_times *s)
{
    const double *of = s->slowest.list;
    double part = 0.0;
    int most = 0, often = 0;
    stats_sort(s->slowest.list, s->slowest.n);
    for (int i = 0; i < s->slowest.n; i++) {
        often = i > 0 && of[i] <= of[i - 1] ? often + 1 : 1;
        if (often > most) {
            most = often;
            part = of[i];
        }
    }
    return part;
}
