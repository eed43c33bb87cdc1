/* Local operations (manual 3.1.7): only rank 0 works. A single call is far shorter than the clock's
 * tick and cost, so calls are batched inside one timed interval; the result is per call. */
#include "patterns/op.h"

enum { MAX_CALLS = 1 << 22 };

/* An interval is longer than the time the clock adds to it by this factor. */
static const double DWARFS = 1000.0;

/* Between intervals, objects that the calls made are freed, or made anew. */
static double interval(struct measurement *m, const struct op *op, int calls)
{
    double (*now)(void) = m->resources->clock.now;
    void (*server_op)(struct measurement *) = m->hooks->server_op;
    pattern_prepare(m, op);
    double start = now();
    for (int i = 0; i < calls; i++)
        server_op(m);
    double time = now() - start;
    pattern_finalize(m, op);
    return time;
}

static void measure_simple(struct measurement *m, const struct op *op, struct series *s)
{
    const struct clock *c = &m->resources->clock;
    int n, calls = 1, most = op->info.calls > 0 ? op->info.calls : MAX_CALLS;
    pattern_first_call(m, s, interval(m, op, 1));
    while (calls < most && interval(m, op, calls) < DWARFS * (c->tick_s + c->cost_s))
        calls *= 2;
    calls = calls < most ? calls : most;
    while ((n = series_next(s, c->now())) > 0)
        for (int i = 0; i < n; i++)
            series_add_calls(s, interval(m, op, calls), calls);
}

const struct pattern simple_pattern = {
    PATTERN_INFO("simple", "Simple", "Local operations", 50, .variations = VARIES_NONE,
                 .traits = PATTERN_LOCAL, .time = TIME_CALL, .start = START_OWN,
                 .processes = "rank 0", .first_call_on = "rank 0"),
    .measure = measure_simple,
};
