/* The measurement of an argument: its series, without repetitions that do not count, sent home. */
#include "patterns/op.h"
#include "patterns/recorder.h"

#include <math.h>

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

int node_times_send_home(struct measurement *m, const struct series *s, int repetition,
                         double *node_us)
{
    control_bcast(&m->resources->clock, &repetition, 1, MPI_INT, m->control);
    double own = values_get(&s->own, repetition);
    MPI_Gather(&own, 1, MPI_DOUBLE, node_us, 1, MPI_DOUBLE, m->home, m->control);
    return m->all.size;
}

int extreme_send_home(struct measurement *m, double us, MPI_Op op, struct extra_value own,
                      struct extra_value *found)
{
    /* Without a valid repetition there is no number: processes would not agree on an extreme. */
    struct ranked extreme = { isnan(us) ? 0.0 : us, m->all.rank };
    control_allreduce(&m->resources->clock, &extreme, 1, MPI_DOUBLE_INT, op, m->control);
    *found = own;
    if (m->all.rank == extreme.rank && m->all.rank != 0)
        MPI_Send(&own, sizeof(own), MPI_BYTE, 0, 0, m->control);
    if (m->all.rank == 0 && extreme.rank != 0)
        MPI_Recv(found, sizeof(*found), MPI_BYTE, extreme.rank, 0, m->control, MPI_STATUS_IGNORE);
    return extreme.rank;
}

/* A call that fails before or in the series fails it on all processes. */
static int measure_with_status(struct measurement *m, const struct op *op, struct series *s,
                               struct err *e)
{
    pattern_prepare(m, op);
    int rc = pattern_agree(m, op->status(m, e), e);
    if (rc == 0)
        rc = m->pattern->measure(m, op, s, e);
    return pattern_agree(m, rc == 0 ? op->status(m, e) : rc, e);
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

int pattern_measure(struct measurement *m, const struct op *op, struct series *s, int rc,
                    struct err *e)
{
    bool ready = rc == 0;
    rc = pattern_begin(m, op, rc, e);
    const struct recorder *row = op->recorder != NULL ? op->recorder : m->pattern->recorder;
    if (rc == 0 && row != NULL)
        rc = pattern_agree(m, recorder_init(m, row, op, e), e);
    if (rc == 0)
        rc = (op->status != NULL ? measure_with_status : m->pattern->measure)(m, op, s, e);
    if (rc == 0) {
        series_warm(s);
        drop_uncounted(m, s);
        recorder_conclude(m, s->overhead_us);
    }
    recorder_release(m);
    if (ready)
        pattern_end(m);
    return rc;
}
