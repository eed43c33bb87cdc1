/* The measurement of an argument: its series, without repetitions that do not count, sent home. */
#include "patterns/op.h"

#include <float.h>

bool keeps_series(const struct measurement *m)
{
    return m->all.rank == 0 || m->all.rank == m->home;
}

/* From rank 0 to the home process; both call it. */
static void send_home(struct measurement *m, void *data, int count, MPI_Datatype type)
{
    if (m->all.rank == 0)
        MPI_Send(data, count, type, m->home, 0, m->control);
    else
        control_receive(&m->resources->clock, data, count, type, 0, 0, m->control);
}

void series_send_home(struct measurement *m, struct series *s)
{
    const struct series own = *s;
    if (m->home == 0 || !keeps_series(m))
        return;
    send_home(m, s, sizeof(*s), MPI_BYTE);
    s->times_us = own.times_us; /* the memory and own times of each process remain */
    s->sorted = own.sorted;
    s->own = own.own;
    s->own_late = own.own_late;
    send_home(m, s->times_us, s->n, MPI_DOUBLE);
    send_home(m, m->extra, sizeof(m->extra), MPI_BYTE);
    send_home(m, &m->first_call_s, 1, MPI_DOUBLE);
}

/* All processes learn what rank 0 says. */
static void all_learn(struct measurement *m, int *said)
{
    const struct clock *c = &m->resources->clock;
    int theirs[2];
    if (!pattern_is_pair(m)) {
        control_bcast(c, said, 2, MPI_INT, m->control);
        return;
    }
    control_swap(c, said, theirs, sizeof(theirs), m->peer, m->control);
    if (m->all.rank != 0)
        memcpy(said, theirs, sizeof(theirs));
}

int node_times_send_home(struct measurement *m, const struct series *s, int repetition,
                         double *node_us)
{
    int said[2] = { repetition };
    all_learn(m, said);
    double own = values_get(&s->own, said[0]), theirs;
    if (!pattern_is_pair(m)) {
        MPI_Gather(&own, 1, MPI_DOUBLE, node_us, 1, MPI_DOUBLE, m->home, m->control);
        return m->all.size;
    }
    control_swap(&m->resources->clock, &own, &theirs, sizeof(own), m->peer, m->control);
    if (m->all.rank == 0)
        memcpy(node_us, (double[]){ own, theirs }, 2 * sizeof(own));
    return 2;
}

int extreme_send_home(struct measurement *m, double us, MPI_Op op, struct extra_value own,
                      double overhead_us, struct extra_value *found)
{
    /* Without a valid repetition there is no number: processes would not agree on an extreme. */
    struct ranked extreme = { isnan(us) ? 0.0 : us, m->all.rank };
    control_allreduce(&m->resources->clock, &extreme, 1, MPI_DOUBLE_INT, op, m->control);
    *found = own;
    if (m->all.rank == extreme.rank && m->all.rank != 0)
        MPI_Send(&own, sizeof(own), MPI_BYTE, 0, 0, m->control);
    if (m->all.rank == 0 && extreme.rank != 0)
        MPI_Recv(found, sizeof(*found), MPI_BYTE, extreme.rank, 0, m->control, MPI_STATUS_IGNORE);
    found->value -= overhead_us;
    return extreme.rank;
}

/* Drops what repetitions that do not count have left in other lists, on all processes. */
static void drop_uncounted(struct measurement *m, struct series *s)
{
    bool keeps = m->recorder != NULL || suite_keeps_own_times(m->suite);
    int first_kept[] = { s->added + s->warmup, s->n };
    if (!keeps || (s->limits.touches == 0 && !s->limits.warms))
        return;
    all_learn(m, first_kept);
    values_keep(&s->own, first_kept[0], first_kept[1]);
    recorder_keep(m, first_kept[0], first_kept[1]);
}

/* On this process; release it in any case. */
static int recorder_init(struct measurement *m, const struct recorder *row, const struct op *op,
                         struct err *e)
{
    struct values *of = m->recorded = allocated(calloc(1, row->bytes));
    m->recorder = row;
    for (int i = 0; i < row->values; i++)
        if (values_init(&of[i], m->suite->max_repetition + TOUCHES_MOST, e) != 0)
            return -1;
    if (row->init != NULL)
        row->init(of, m, op);
    return 0;
}

static void recorder_release(struct measurement *m)
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

int pattern_measure(struct measurement *m, const struct op *op, struct series *s, int rc,
                    struct err *e)
{
    bool ready = rc == 0;
    rc = pattern_begin(m, op, rc, e);
    const struct recorder *row = op->recorder != NULL ? op->recorder : m->pattern->recorder;
    if (rc == 0 && row != NULL)
        rc = pattern_agree(m, recorder_init(m, row, op, e), e);
    if (rc == 0 && op->status != NULL) { /* a call that fails here fails it on all processes */
        pattern_prepare(m, op);
        rc = pattern_agree(m, op->status(m, e), e);
    }
    if (rc == 0)
        m->pattern->measure(m, op, s);
    if (rc == 0 && op->status != NULL)
        rc = pattern_agree(m, op->status(m, e), e);
    if (rc == 0) {
        series_warm(s);
        drop_uncounted(m, s);
        if (row != NULL && row->conclude != NULL)
            row->conclude(m, s->overhead_us, m->recorded);
    }
    recorder_release(m);
    if (ready)
        pattern_end(m);
    return rc;
}

bool repetitions_valid(const struct repetitions *b, int i)
{
    for (int start = i; start < i + b->starts; start++)
        if (b->late[start] > 0.0)
            return false;
    return true;
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
