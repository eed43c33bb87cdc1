/* The measurement of an argument: its series, without repetitions that do not count. */
#include "patterns/op.h"
#include "patterns/recorder.h"

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

/* The recorder remains. */
static int measure_recorded(struct measurement *m, const struct op *op, struct series *s,
                            struct err *e)
{
    const struct recorder *row = op->recorder != NULL ? op->recorder : m->pattern->recorder;
    int rc = row == NULL ? 0 : pattern_agree(m, recorder_init(m, row, op, e), e);
    if (rc != 0)
        return rc;
    return (op->status != NULL ? measure_with_status : m->pattern->measure)(m, op, s, e);
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
    if (rc == 0)
        rc = measure_recorded(m, op, s, e);
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
