#include "stats/visit_length.h"

#include "model/buffer_size.h"
#include "model/matching.h"
#include "model/parameters.h"
#include "plan/plan.h"
#include "stats/series.h"

/* Visits if the file does not set their number; and if it permits fewer than MANY repetitions. */
enum { VISITS = 10, VISITS_OF_FEW = 5, MANY = 40 };

/* For 3 / share repetitions, at least one belongs to that share with a probability of 95 %. 3 /
 * 0.01 may be just above the whole number that was meant. */
static const double SEEN = 3, ROUNDING = 1e-6;

/* Without a cut, unobserved rare delays may shift the mean by this part of the accuracy. */
static const double UNSEEN = 0.25;

/* A visit is long enough with either. */
static const double ENOUGH_REPETITIONS = 8, ENOUGH_S = 3e-3;

/* Messages of less are in the cache after the first repetition. */
enum { TOUCHED_BYTES = 32 * 1024 };

/* A visit without time left ends after its first repetition. */
static const double SOONEST_S = 1e-9;

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

/* The repetitions of a visit that use each root and matching once. */
static int turn_of(const struct suite *s, int processes)
{
    int turn = s->options.root == ROOT_ROTATE ? processes : 1;
    int matchings = suite_arguments(s) == ARGUMENTS_PAIRS ? 1 : matching_count(s, processes);
    return matchings > turn ? matchings : turn;
}

/* The number of repetitions of all visits that is enough in any case. */
static double least_of(const struct suite *s)
{
    return limits_least(&(struct limits){ .min_repetition = s->min_repetition,
                                          .standard_error = s->standard_error,
                                          .cut_quantile = s->cut_quantile,
                                          .error = s->options.error });
}

int visits_count(const struct suite *s, int processes)
{
    int turn = turn_of(s, processes), most = s->max_repetition;
    int visits = most < MANY ? VISITS_OF_FEW : VISITS;
    /* A limit of time alone ends a visit. */
    double least = s->time_measurement_minutes > 0.0 ? most : least_of(s);
    double permitted = turn > 1 ? fmin(least, most) / turn : most;
    if (!type_has_option(s->type, OPTION_PASSES))
        return 1;
    if (s->options.passes != PASSES_AUTO)
        return s->options.passes;
    return (int)fmax(1.0, fmin(permitted, visits));
}

int visits_share(const struct suite *s, int processes, int visit)
{
    int left = s->max_repetition - 1 - visit;
    return left < 0 ? 1 : left / visits_count(s, processes) + 1;
}

/* Repetitions that touch a visit's place: none for work that lasts a known time. With a limit of
 * time, those of short messages show how many visits there can be. */
static int touches_of(const struct suite *s, int processes, const struct visit *v)
{
    if (v->is_other || visits_count(s, processes) == 1 ||
        (suite_pattern(s)->traits & PATTERN_LOCAL) != 0 ||
        definition_of(s->type->time)->lasts_s > 0.0)
        return 0;
    return v->length >= TOUCHED_BYTES || s->time_measurement_minutes > 0.0 ? TOUCHES_LEAST : 0;
}

struct limits visit_limits(const struct params *p, const struct suite *s, int processes,
                           const struct visit *v)
{
    int visits = v->fixed > 0 ? v->fixed : visits_count(s, processes);
    int turn = turn_of(s, processes), touches = touches_of(s, processes, v);
    struct limits l = { .min_repetition = s->min_repetition,
                        .max_repetition = visits_share(s, processes, v->number),
                        .standard_error = s->standard_error,
                        .cut_quantile = s->cut_quantile,
                        .time_s = 60.0 * s->time_measurement_minutes / visits,
                        .tick_s = v->tick_s,
                        .error = s->options.error,
                        .outliers = s->options.outliers,
                        .visits = visits,
                        .visit_s = v->least_s,
                        .touches = touches,
                        .warms = !v->is_other && s->options.warmup == WARMUP_AUTO,
                        .turn = turn,
                        .visits_least = params_are_timed(p) ? 2 : 1 }; /* one has no error */
    if (turn > 1 && l.min_repetition < visits * turn)
        l.min_repetition = visits * turn;
    if (isfinite(v->most_s))
        l.most_s = fmax(v->most_s, SOONEST_S);
    bool less = l.most_s > 0.0 && l.time_s > l.most_s;
    l.fixes_visits = touches > 0 && v->fixed == 0 && s->options.passes == PASSES_AUTO && !less;
    if (less)
        l.time_s = l.most_s;
    return l;
}

void limits_fix_visits(struct limits *l, double passed_s, double repetition_s)
{
    double all_s = l->time_s * l->visits;
    double enough_s = fmin(ENOUGH_REPETITIONS * repetition_s, ENOUGH_S);
    if (l->turn > 1)
        enough_s = fmax(enough_s, l->turn * repetition_s);
    double fitting = fmax(all_s / (passed_s + enough_s), l->visits_least);
    l->visits = (int)fmax(1, fmin(fitting, l->visits));
    l->time_s = all_s / l->visits;
    if (l->most_s > 0.0)
        l->time_s = fmin(l->time_s, l->most_s);
    l->fixes_visits = false;
}

double limits_least(const struct limits *l)
{
    bool rare_are_cut = l->cut_quantile >= l->standard_error;
    double share = l->standard_error * (rare_are_cut ? 1 : UNSEEN);
    int least = l->min_repetition;
    return l->error == ERROR_PAPER ? least : fmax(least, ceil(SEEN / share - ROUNDING));
}

double estimate_row_s(const struct outlook *x, const struct suite *s, long argument)
{
    long length = suite_varies(s, length) ? argument : suite_default_length(x->params, s);
    double messages = s->type->application != NULL ? COPIED : 1.0;
    if ((s->type->traits & TYPE_WINDOW) != 0)
        messages = suite_setting(s, 0, argument).window;
    double bytes = (double)length * x->processes * messages;
    double repetition_s = ESTIMATE_REPETITION_S + bytes * ESTIMATE_BYTE_S;
    /* An overlap is measured without work, work alone, and both; for partitions: partitions.h. */
    if (type_has_option(s->type, OPTION_PARTITIONS))
        repetition_s *= 4.0;
    else if (suite_pattern(s)->time == TIME_SLOWEST_WITH_WORK)
        repetition_s *= 3.0;
    double limit_s = 60.0 * s->time_measurement_minutes, most = s->max_repetition;
    double visits = visits_count(s, x->processes), before_s = FIRST_S + visits * BEFORE_VISIT_S;
    double known_s = most * definition_of(s->type->time)->lasts_s;
    if (known_s > 0.0)
        return before_s + (limit_s > 0.0 ? fmin(limit_s, known_s) : known_s);
    if (limit_s > 0.0 && (suite_needs(x->params, s) & NEEDS_FILES) != 0)
        return before_s + limit_s; /* disks are slow */
    if (limit_s > 0.0)
        return before_s + fmin(limit_s, most * repetition_s);
    double least_s = fmax(MORE * least_of(s) * repetition_s, visits * x->visit_s);
    return before_s + fmin(least_s, most * repetition_s);
}

/* The most arguments of a suite. */
static double rows_of(const struct params *p, const struct suite *s, int processes)
{
    struct plan *plan = plan_of_suite(p, s, processes);
    double rows = (double)plan_most(plan);
    plan_free(plan);
    return rows;
}

struct forecast estimate_suite(const struct outlook *x, const struct suite *s)
{
    struct plan *plan = plan_of_suite(x->params, s, x->processes);
    struct forecast all = { 1.0, 0.0 };
    double limit_s = 60.0 * s->time_suite_minutes, sum_s = 0.0, seen = 0.0;
    double rows = (double)plan_most(plan);
    for (long argument; seen < ARGUMENTS_MOST && plan_next(plan, &argument); seen++)
        sum_s += estimate_row_s(x, s, argument);
    all.rows = rows * visits_count(s, x->processes);
    if (seen > 0.0)
        all.seconds = rows * (x->params->absolute ? 2.0 : 1.0) * (sum_s / seen);
    plan_free(plan);
    if (limit_s > 0.0)
        all.seconds = fmin(all.seconds, limit_s);
    return all;
}

void visits_share_time(struct params *p, int processes)
{
    double suites = 0.0, run_s = 60.0 * p->time_run_minutes;
    for (size_t i = 0; i < p->suite_count; i++)
        suites += p->suites[i].skip == NULL;
    for (size_t i = 0; i < p->suite_count && params_are_timed(p); i++) {
        double rows = rows_of(p, &p->suites[i], processes) * (p->absolute ? 2.0 : 1.0);
        double each_s = (SHARED * run_s - ESTIMATE_START_S) / suites / rows - FIRST_S;
        double *minutes = &p->suites[i].time_measurement_minutes;
        each_s = fmax(each_s, SHARE_LEAST_S);
        *minutes = *minutes > 0.0 ? fmin(*minutes, each_s / 60.0) : each_s / 60.0;
    }
}

struct outlook outlook_of(const struct params *p, int processes)
{
    struct outlook x = { p, processes, VISIT_MOST_S };
    double visits = 0.0;
    for (size_t i = 0; i < p->suite_count; i++)
        if (p->suites[i].skip == NULL)
            visits += rows_of(p, &p->suites[i], processes) * visits_count(&p->suites[i], processes);
    if (visits * x.visit_s > VISITS_S)
        x.visit_s = fmax(VISITS_S / visits, VISIT_LEAST_S);
    return x;
}
