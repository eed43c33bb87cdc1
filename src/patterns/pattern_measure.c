/* The measurement of an argument: its series, after repetitions that do not count (key warmup). */
#include "patterns/op.h"
#include "patterns/recorder.h"
#include "stats/warmup.h"

#include <math.h>

static const double LONGEST_S = 1.0;

static int take_recorder(struct measurement *m, const struct op *op, struct err *e)
{
    const struct recorder *row =
        op->recorder != NULL ? op->recorder : pattern_of(m->suite)->recorder;
    return row == NULL ? 0 : pattern_agree(m, recorder_init(m, row, op, e), e);
}

/* A call that fails before or in the series fails it on all processes. */
static int measure_with_status(struct measurement *m, const struct op *op, struct series *s,
                               struct err *e)
{
    pattern_prepare(m, op);
    int rc = pattern_agree(m, op->status(m, e), e);
    if (rc == 0)
        rc = pattern_of(m->suite)->measure(m, op, s, e);
    return pattern_agree(m, rc == 0 ? op->status(m, e) : rc, e);
}

/* The recorder remains. */
static int measure_recorded(struct measurement *m, const struct op *op, struct series *s,
                            struct err *e)
{
    int rc = take_recorder(m, op, e);
    if (rc != 0)
        return rc;
    return (op->status != NULL ? measure_with_status : pattern_of(m->suite)->measure)(m, op, s, e);
}

/* A window ends at its last repetition, or when time is up. */
static struct limits limits_of(const struct series *s)
{
    return (struct limits){ .min_repetition = WARMUP_WINDOW,
                            .max_repetition = WARMUP_WINDOW,
                            .time_s = s->limits.time_s > 0.0 ? s->limits.time_s : LONGEST_S,
                            .tick_s = s->limits.tick_s,
                            .error = ERROR_PAPER };
}

static int measure_window(struct measurement *m, const struct op *op, const struct series *s,
                          struct series *window, struct err *e)
{
    const struct limits limits = limits_of(s);
    int rc = 0;
    *window = (struct series){ 0 };
    if (keeps_series(m))
        rc = series_init(window, &limits, e);
    window->overhead_us = s->overhead_us;
    rc = pattern_agree(m, rc, e);
    if (rc == 0)
        rc = measure_recorded(m, op, window, e);
    recorder_release(m);
    return rc;
}

/* All processes learn what rank 0 says. */
static bool all_learn(struct measurement *m, bool said)
{
    const struct clock *c = &m->resources->clock;
    int own = said, theirs = said;
    if (pattern_is_pair(m))
        control_swap(c, &own, &theirs, sizeof(own), m->peer, m->control);
    else if ((suite_pattern(m->suite)->traits & PATTERN_LOCAL) == 0)
        control_bcast(c, &own, 1, MPI_INT, m->control);
    return m->all.rank == 0 || !pattern_is_pair(m) ? own : theirs;
}

/* Measures windows until their times stop falling; the series, which follows, learns how many
 * repetitions that were. */
static int warm_up(struct measurement *m, const struct op *op, struct series *s, struct err *e)
{
    const struct clock *c = &m->resources->clock;
    struct warmup w = { .before_us = NAN };
    double begun_s = c->now();
    int rc = 0;
    for (bool more = true; more && rc == 0;) {
        struct series window;
        rc = measure_window(m, op, s, &window, e);
        more = rc == 0 && m->all.rank == 0 && warmup_goes_on(&w, window.times_us, window.n) &&
               c->now() - begun_s < limits_of(s).time_s;
        series_release(&window);
        if (rc == 0)
            more = all_learn(m, more);
    }
    s->warmup = w.n;
    return rc;
}

int pattern_measure(struct measurement *m, const struct op *op, struct series *s, int rc,
                    struct err *e)
{
    bool ready = rc == 0;
    rc = pattern_begin(m, op, rc, e);
    if (rc == 0 && m->suite->options.warmup == WARMUP_AUTO)
        rc = warm_up(m, op, s, e);
    if (rc == 0)
        rc = measure_recorded(m, op, s, e);
    if (rc == 0)
        recorder_conclude(m, s->overhead_us);
    recorder_release(m);
    if (ready)
        pattern_end(m, op);
    return rc;
}
