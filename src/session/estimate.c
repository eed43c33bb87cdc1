#include "session/progress.h"

#include "merge/passes.h"
#include "model/buffer_size.h"
#include "model/parameters.h"

/* Communicators, types and first calls of a row, and what its visits have before repetitions. */
static const double FIRST_S = 3.5e-3, VISIT_S = 0.5e-3;

/* Most rows need somewhat more than the least number. */
static const double MORE = 1.2;

/* Applications copy their data element by element. */
static const double COPIED = 10.0;

enum { ARGUMENTS_MOST = 1000 };

/* An overlap is measured without work, work alone, and both; for partitions, see partitions.h. */
static double turns_of(const struct suite *s)
{
    bool thrice = suite_pattern(s)->time == TIME_SLOWEST_WITH_WORK;
    if (type_has_option(s->type, OPTION_PARTITIONS))
        return 4.0;
    return thrice ? 3.0 : 1.0;
}

/* How often a repetition sends the message. */
static double messages_of(const struct suite *s, long argument)
{
    if ((s->type->traits & TYPE_WINDOW) == 0)
        return s->type->application != NULL ? COPIED : 1.0;
    return s->variation == VARY_WINDOW ? (double)argument : s->options.window;
}

/* With all its visits. */
static double row_s(const struct params *p, const struct suite *s, double visits, double bytes)
{
    const struct limits l = passes_accuracy(s);
    double repetition_s = turns_of(s) * (ESTIMATE_REPETITION_S + bytes * ESTIMATE_BYTE_S);
    double limit_s = 60.0 * s->time_measurement_minutes, most = s->max_repetition;
    double before_s = FIRST_S + visits * VISIT_S;
    double known_s = most * definition_of(s->type->time)->lasts_s;
    if (known_s > 0.0)
        return before_s + (limit_s > 0.0 ? fmin(limit_s, known_s) : known_s);
    if (limit_s > 0.0 && (suite_needs(p, s) & NEEDS_FILES) != 0)
        return before_s + limit_s; /* disks are slow */
    if (limit_s > 0.0)
        return before_s + fmin(limit_s, most * repetition_s);
    return before_s + fmin(MORE * stop_least(&l), most) * repetition_s;
}

double estimate_row_s(const struct params *p, const struct suite *s, int processes, long argument)
{
    bool is_length = s->variation == VARY_LENGTH;
    double bytes = (double)(is_length ? argument : suite_default_length(p, s));
    return row_s(p, s, passes_of(s, processes), bytes * processes * messages_of(s, argument));
}

/* The mean of the sweep's rows. */
static double mean_row_s(const struct params *p, const struct suite *s, int processes,
                         struct plan *plan)
{
    double sum_s = 0.0, rows = 0.0;
    struct err e = { "" };
    for (long argument; rows < ARGUMENTS_MOST && plan_next(plan, &argument); rows++) {
        sum_s += estimate_row_s(p, s, processes, argument);
        if (plan_measured(plan, argument, NAN, &e) != 0)
            break;
    }
    return rows > 0.0 ? sum_s / rows : 0.0;
}

struct forecast estimate_suite(const struct params *p, const struct suite *s, int processes)
{
    struct err e = { "" };
    struct plan *plan = plan_of_suite(p, s, processes, &e);
    struct forecast x = { 1.0, 0.0 };
    if (plan == NULL)
        return x;
    double limit_s = 60.0 * s->time_suite_minutes;
    double rows = (double)plan_most(plan);
    x.rows = rows * passes_of(s, processes);
    x.seconds = rows * (p->absolute ? 2.0 : 1.0) * mean_row_s(p, s, processes, plan);
    plan_free(plan);
    if (limit_s > 0.0)
        x.seconds = fmin(x.seconds, limit_s);
    return x;
}
