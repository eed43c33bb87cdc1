#include "patterns/common_start.h"

enum { MAX_BAD = 8 };

/* A smaller tolerance is below the resolution of clocks. */
static const double ALLOWED_LEAST_S = 5e-9;

/* Looks take at most a fifth of a row. */
static const double BETWEEN_LOOKS = 4.0, LOOK_SLOW_S = 10e-3;

struct clock_watch watch_start(const struct measurement *m)
{
    return (struct clock_watch){ .started_s = m->resources->clock.now(),
                                 .since_s = m->resources->global.after.found_s };
}

static double between(const struct measurement *m, double allowed_s)
{
    const struct global_clock *g = &m->resources->global;
    double asked_s = global_clock_alone(g, fmax(allowed_s, ALLOWED_LEAST_S));
    return fmax(asked_s, BETWEEN_LOOKS * g->look_s);
}

bool watch_gives_up(const struct clock_watch *w)
{
    return w->bad >= MAX_BAD;
}

bool watch_wants_look(const struct clock_watch *w, const struct measurement *m,
                      const struct series *s, double allowed_s, int repetitions)
{
    const struct global_clock *g = &m->resources->global;
    const double alone_s = g->clock->now() - g->checked_at_s;
    /* A look is longer than most rows if messages have to wait for a CPU, and shows little then. */
    bool slow = g->look_s > LOOK_SLOW_S && BETWEEN_LOOKS * g->look_s > alone_s;
    if (watch_gives_up(w))
        return false;
    if (repetitions == 0)
        return s->n > s->sure_n && !slow;
    return g->checked < m->all.size || g->after.unfit > 0.0 || alone_s > between(m, allowed_s);
}

static void judge(struct clock_watch *w, const struct measurement *m, struct series *s,
                  double tolerated_s)
{
    const struct global_clock *g = &m->resources->global;
    bool moved = g->before.sure_s > tolerated_s, lost = g->after.unfit > 0.0;
    if (moved) {
        series_drop_since(s);
    } else if (s->n > s->sure_n) {
        w->residual_s = fmax(w->residual_s, fmax(w->since_s, g->before.found_s));
        series_keep(s);
    }
    w->bad = moved || lost ? w->bad + 1 : 0;
    w->since_s = g->after.found_s;
}

void watch_look(struct clock_watch *w, struct measurement *m, struct series *s, double allowed_s)
{
    const struct clock *c = &m->resources->clock;
    double start_s = c->now(), between_s = between(m, allowed_s);
    /* At least the change of the clocks between looks, if these take too long. */
    double bend_s = global_clock_bend(&m->resources->global) * between_s * between_s;
    enum activity before = resources_enter(m->resources, ACTIVITY_SYNCHRONISING);
    global_clock_check(&m->resources->global, m->control, m->all.size);
    resources_enter(m->resources, before);
    if (m->all.rank == 0)
        judge(w, m, s, fmax(allowed_s, bend_s));
    w->looked_s += c->now() - start_s;
}

void watch_end(const struct clock_watch *w, const struct measurement *m, struct series *s)
{
    const struct global_clock *g = &m->resources->global;
    double alone_s = g->clock->now() - g->checked_at_s;
    double since_s = w->since_s + global_clock_bend(g) * alone_s * alone_s;
    s->residual_s = s->n > s->sure_n ? fmax(w->residual_s, since_s) : w->residual_s;
    s->looking = w->looked_s / (m->resources->clock.now() - w->started_s);
    if (watch_gives_up(w))
        s->stop = STOP_UNSYNCHRONISED;
}
