/* Repetitions before those that count, until they stop falling (key warmup). */
#include "patterns/op.h"
#include "patterns/recorder.h"
#include "stats/warmup.h"

#include <math.h>

static const double LONGEST_S = 1.0;

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
                          struct series *window, measure_function *once, struct err *e)
{
    const struct limits limits = limits_of(s);
    int rc = 0;
    *window = (struct series){ 0 };
    if (keeps_series(m))
        rc = series_init(window, &limits, e);
    window->overhead_us = s->overhead_us;
    rc = pattern_agree(m, rc, e);
    if (rc == 0)
        rc = once(m, op, window, e);
    recorder_release(m);
    return rc;
}

/* All processes learn what rank 0 says. */
static bool told(struct measurement *m, bool said)
{
    const struct clock *c = &m->resources->clock;
    int own = said, theirs = said;
    if (pattern_is_pair(m))
        control_swap(c, &own, &theirs, sizeof(own), m->peer, m->control);
    else if ((suite_pattern(m->suite)->traits & PATTERN_LOCAL) == 0)
        control_bcast(c, &own, 1, MPI_INT, m->control);
    return m->all.rank == 0 || !pattern_is_pair(m) ? own : theirs;
}

int pattern_warm_up(struct measurement *m, const struct op *op, struct series *s,
                    measure_function *once, struct err *e)
{
    const struct clock *c = &m->resources->clock;
    struct warmup w = { .before_us = NAN };
    double begun_s = c->now();
    int rc = 0;
    for (bool more = true; more && rc == 0;) {
        struct series window;
        rc = measure_window(m, op, s, &window, once, e);
        more = rc == 0 && m->all.rank == 0 && warmup_goes_on(&w, window.times_us, window.n) &&
               c->now() - begun_s < limits_of(s).time_s;
        series_release(&window);
        if (rc == 0)
            more = told(m, more);
    }
    s->warmup = w.n;
    return rc;
}
