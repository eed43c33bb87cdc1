#include "patterns/recorder.h"

#include "patterns/op.h"
#include "model/suite.h"

#include <math.h>

bool repetitions_valid(const struct repetitions *b, int i)
{
    for (int start = i; start < i + b->starts; start++)
        if (b->late[start] > 0.0)
            return false;
    return true;
}

static int add(struct recorders *k, const struct recorder *row, struct run *r, const struct op *op,
               struct err *e)
{
    struct values *of = calloc(1, row->bytes);
    k->rows[k->count] = row;
    k->of[k->count++] = of;
    if (of == NULL)
        return err_no_memory(e, row->bytes);
    for (int i = 0; i < row->values; i++)
        if (values_init(&of[i], r->suite->max_repetition, e) != 0)
            return -1;
    if (row->inside)
        r->inside = of;
    return row->init == NULL ? 0 : row->init(of, r, op, e);
}

int recorders_init(struct recorders *k, struct run *r, const struct op *op, struct err *e)
{
    const struct recorder *of_pattern = pattern_of(r->suite)->recorder;
    int rc = 0;
    *k = (struct recorders){ .count = 0 };
    r->recorders = k;
    r->inside = NULL;
    if (op->recorder != NULL)
        rc = add(k, op->recorder, r, op, e);
    if (of_pattern != NULL && rc == 0)
        rc = add(k, of_pattern, r, op, e);
    return k->count > 0 ? pattern_agree(r, rc, e) : rc;
}

void recorders_release(struct recorders *k, struct run *r)
{
    for (int i = 0; i < k->count && k->of[i] != NULL; i++) {
        for (int v = 0; v < k->rows[i]->values; v++)
            values_release((struct values *)k->of[i] + v);
        if (k->rows[i]->release != NULL)
            k->rows[i]->release(k->of[i]);
        free(k->of[i]);
    }
    r->recorders = NULL;
    r->inside = NULL;
}

void *recorders_state(const struct run *r)
{
    const struct recorders *k = r->recorders;
    bool own = k != NULL && k->count > 0 && pattern_of(r->suite)->recorder != NULL;
    return own ? k->of[k->count - 1] : NULL;
}

static int count(const struct run *r)
{
    return r->recorders == NULL ? 0 : r->recorders->count;
}

void recorders_before(struct run *r, int i)
{
    for (int k = 0; k < count(r); k++)
        if (r->recorders->rows[k]->before != NULL)
            r->recorders->rows[k]->before(r, i, r->recorders->of[k]);
}

void recorders_hold(struct run *r, int i)
{
    for (int k = 0; k < count(r); k++)
        if (r->recorders->rows[k]->hold != NULL)
            r->recorders->rows[k]->hold(i, r->recorders->of[k]);
}

void recorders_batch(struct run *r, const struct repetitions *b)
{
    for (int k = 0; k < count(r); k++)
        if (r->recorders->rows[k]->batch != NULL)
            r->recorders->rows[k]->batch(r, b, r->recorders->of[k]);
}

void recorders_cut(struct run *r, int kept)
{
    for (int k = 0; k < count(r); k++)
        for (int i = 0; i < r->recorders->rows[k]->values; i++)
            values_cut((struct values *)r->recorders->of[k] + i, kept);
}

void recorders_conclude(struct run *r, double overhead_us)
{
    for (int k = 0; k < count(r); k++)
        if (r->recorders->rows[k]->conclude != NULL)
            r->recorders->rows[k]->conclude(r, overhead_us, r->recorders->of[k]);
}

double recorders_readings_s(const struct run *r)
{
    double sum_s = 0.0;
    for (int k = 0; k < count(r); k++)
        if (r->recorders->rows[k]->readings_s != NULL)
            sum_s += r->recorders->rows[k]->readings_s(r, r->recorders->of[k]);
    return sum_s;
}

void recorders_take(struct run *r, struct series *s, double seconds)
{
    const double us = seconds * 1e6, in_time = 0.0;
    values_add(&s->own, us);
    recorders_hold(r, 0);
    recorders_batch(r, &(struct repetitions){ 1, 1, &us, &us, &in_time });
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
