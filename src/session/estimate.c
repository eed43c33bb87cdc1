#include "session/estimate.h"

#include "merge/passes.h"
#include "model/buffer_size.h"
#include "model/parameters.h"

/* Communicators, types and first calls of a row, and the time of its visits before repetitions. */
static const double FIRST_S = 3.5e-3, BEFORE_VISIT_S = 0.3e-3;

/* The first 5 to 10 repetitions after another suite take up to twice as long, some more a little:
 * in a visit that lasts the least, they are within the cut. The most is for a single row. */
static const double VISIT_LEAST_S = 0.3e-3, VISIT_MOST_S = 0.15;

/* All visits of a file together, if it has few; with the start, two seconds. */
static const double VISITS_S = 1.5;

/* Most rows need somewhat more than the least number. */
static const double MORE = 1.2;

/* The part of @TIMERUN that is shared among the suites, and the least share of an argument. */
static const double SHARED = 0.8, SHARE_LEAST_S = 0.5e-3;

/* Applications copy their data element by element. */
static const double COPIED = 10.0;

enum { ARGUMENTS_MOST = 1000 };

static double row_s(const struct outlook *x, const struct suite *s, double bytes)
{
    const struct limits l = passes_accuracy(s);
    double repetition_s = ESTIMATE_REPETITION_S + bytes * ESTIMATE_BYTE_S;
    /* An overlap is measured without work, work alone, and both; for partitions: partitions.h. */
    if (type_has_option(s->type, OPTION_PARTITIONS))
        repetition_s *= 4.0;
    else if (suite_pattern(s)->time == TIME_SLOWEST_WITH_WORK)
        repetition_s *= 3.0;
    double limit_s = 60.0 * s->time_measurement_minutes, most = s->max_repetition;
    double visits = passes_of(s, x->processes), before_s = FIRST_S + visits * BEFORE_VISIT_S;
    double known_s = most * definition_of(s->type->time)->lasts_s;
    if (known_s > 0.0)
        return before_s + (limit_s > 0.0 ? fmin(limit_s, known_s) : known_s);
    if (limit_s > 0.0 && (suite_needs(x->params, s) & NEEDS_FILES) != 0)
        return before_s + limit_s; /* disks are slow */
    if (limit_s > 0.0)
        return before_s + fmin(limit_s, most * repetition_s);
    double least_s = fmax(MORE * stop_least(&l) * repetition_s, visits * x->visit_s);
    return before_s + fmin(least_s, most * repetition_s);
}

double estimate_row_s(const struct outlook *x, const struct suite *s, long argument)
{
    long length = suite_varies(s, length) ? argument : suite_default_length(x->params, s);
    double messages = s->type->application != NULL ? COPIED : 1.0;
    if ((s->type->traits & TYPE_WINDOW) != 0)
        messages = suite_setting(s, 0, argument).window;
    return row_s(x, s, (double)length * x->processes * messages);
}

/* @ABSOLUTE measures the overhead of each row, too. */
static double times_measured(const struct params *p)
{
    return p->absolute ? 2.0 : 1.0;
}

struct forecast estimate_suite(const struct outlook *x, const struct suite *s)
{
    struct err e = { "" };
    struct plan *plan = plan_of_suite(x->params, s, x->processes, &e);
    struct forecast all = { 1.0, 0.0 };
    if (plan == NULL)
        return all;
    double limit_s = 60.0 * s->time_suite_minutes, sum_s = 0.0, seen = 0.0;
    double rows = (double)plan_most(plan);
    for (long argument; seen < ARGUMENTS_MOST && plan_next(plan, &argument); seen++) {
        sum_s += estimate_row_s(x, s, argument);
        if (plan_measured(plan, argument, NAN, &e) != 0)
            break;
    }
    all.rows = rows * passes_of(s, x->processes);
    if (seen > 0.0)
        all.seconds = rows * times_measured(x->params) * (sum_s / seen);
    plan_free(plan);
    if (limit_s > 0.0)
        all.seconds = fmin(all.seconds, limit_s);
    return all;
}

void estimate_share_time(struct params *p, int processes)
{
    double suites = 0.0, run_s = 60.0 * p->time_run_minutes;
    struct err e = { "" };
    for (size_t i = 0; i < p->suite_count; i++)
        suites += p->suites[i].skip == NULL;
    for (size_t i = 0; i < p->suite_count && params_are_timed(p); i++) {
        struct plan *plan = plan_of_suite(p, &p->suites[i], processes, &e);
        double rows = plan == NULL ? 1.0 : (double)plan_most(plan) * times_measured(p);
        double row_s = (SHARED * run_s - ESTIMATE_START_S) / suites / rows - FIRST_S;
        double *minutes = &p->suites[i].time_measurement_minutes;
        row_s = fmax(row_s, SHARE_LEAST_S);
        *minutes = *minutes > 0.0 ? fmin(*minutes, row_s / 60.0) : row_s / 60.0;
        plan_free(plan);
    }
}

struct outlook outlook_of(const struct params *p, int processes)
{
    struct outlook x = { p, processes, VISIT_MOST_S };
    double visits = 0.0;
    for (size_t i = 0; i < p->suite_count; i++)
        if (p->suites[i].skip == NULL)
            visits += estimate_suite(&x, &p->suites[i]).rows;
    if (visits * x.visit_s > VISITS_S)
        x.visit_s = fmax(VISITS_S / visits, VISIT_LEAST_S);
    return x;
}
