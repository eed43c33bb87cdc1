/* Generated repetitions in time, for visited rows: a row is measured by visits far apart, with the
 * real series, stop rule and combination, once for each of many seeds. Compares the error that rows
 * state with the scatter of their values. For tests and tests/bench. */
#pragma once

#include "merge/passes.h"
#include "stats/series.h"

#include "random.h"
#include "model/suite.h"

#include <stdlib.h>

enum { VISITS = 5, VISITS_MOST = 10, SEEDS_MOST = 1000, FAR_APART = 1000 };
static const double ROW_US = 5.79, PAUSES = 3; /* all time / that of repetitions */

/* Where a source of repetitions is. */
struct source {
    uint64_t random;
    double t;     /* repetitions, and time between visits */
    double last;  /* autoregressive; of a visit */
    double phase; /* of the sine, or of the step within the row, 0 to 1 */
    int burst;    /* repetitions left */
};

struct visited_case;
typedef double next_time(struct source *s, const struct visited_case *c);

/* What is asked of the rows. */
enum wanted {
    WANTED_92 = 1,         /* two errors cover 92 %, scatter / stated is 0.7 to 1.5 */
    WANTED_85 = 2,         /* two errors cover 85 % */
    WANTED_MARK = 4,       /* 90 % are unsteady */
    WANTED_NONE = 8,       /* at most 5 % are unsteady */
    WANTED_MODES = 16,     /* 90 % have two modes; */
    WANTED_BURSTS = 32,    /* any number has; of others at most 5 % */
    WANTED_FEW = 64,       /* at most 10 % are unsteady */
    WANTED_SCATTER = 128,  /* scatter / stated is 0.7 to 1.5 */
    WANTED_LEFT_OUT = 256, /* 90 % leave out a disturbed visit */
};

struct visited_case {
    const char *name;
    next_time *next;
    double parameter, size; /* size is relative to the value */
    int wanted;
};

static double visited_uniform(struct source *s)
{
    return generated_random(&s->random);
}

static double visited_normal(struct source *s)
{
    return generated_normal(&s->random);
}

static double next_normal(struct source *s, const struct visited_case *c)
{
    return 1 + c->size * visited_normal(s);
}

static double next_lognormal(struct source *s, const struct visited_case *c)
{
    return exp(c->size * visited_normal(s));
}

static double next_pareto(struct source *s, const struct visited_case *c)
{
    return pow(1 - visited_uniform(s), -1 / c->parameter);
}

static double next_bimodal(struct source *s, const struct visited_case *c)
{
    return visited_uniform(s) < c->parameter ? 1 + c->size : 1;
}

static double next_autoregressive(struct source *s, const struct visited_case *c)
{
    double a = c->parameter;
    s->last = a * s->last + sqrt(1 - a * a) * visited_normal(s);
    return 1 + c->size * s->last;
}

/* Bursts of 10 repetitions take more; the parameter is their share. */
static double next_burst(struct source *s, const struct visited_case *c)
{
    if (s->burst > 0)
        s->burst--;
    else if (visited_uniform(s) < c->parameter / 10 / (1 - c->parameter))
        s->burst = 9;
    return (1 + 0.05 * visited_normal(s)) * (s->burst > 0 ? 1 + c->size : 1);
}

/* With a standard deviation of one sigma of the noise; the parameter is the period. */
static double next_sine(struct source *s, const struct visited_case *c)
{
    double wave = sqrt(2) * sin(TWO_PI * (s->t / c->parameter + s->phase));
    return 1 + c->size * (wave + visited_normal(s));
}

/* One sigma; the parameter is where in the row, as are the visits that are planned. */
static double next_step(struct source *s, const struct visited_case *c)
{
    double part = s->t / (VISITS * FAR_APART);
    return 1 + c->size * ((part > c->parameter) + visited_normal(s));
}

/* The machine is another one in each visit. */
static double next_machine(struct source *s, const struct visited_case *c)
{
    return 1 + c->size * s->last + 0.02 * visited_normal(s);
}

/* Visits in which a normal number is above the parameter are slower. */
static double next_state(struct source *s, const struct visited_case *c)
{
    return (1 + 0.02 * visited_normal(s)) * (s->last > c->parameter ? 1 + c->size : 1);
}

/* One visit is another one. */
static double next_one(struct source *s, const struct visited_case *c)
{
    bool is_it = (int)(s->t / FAR_APART) == (int)c->parameter;
    return (1 + 0.02 * visited_normal(s)) * (is_it ? 1 + c->size : 1);
}

static const struct visited_case visited_cases[] = {
    { "normal, 2 %", next_normal, 0, 0.02, WANTED_92 | WANTED_NONE },
    { "normal, 10 %", next_normal, 0, 0.1, WANTED_92 | WANTED_NONE },
    { "normal, 30 %", next_normal, 0, 0.3, WANTED_92 | WANTED_NONE },
    { "log-normal, 0.1", next_lognormal, 0, 0.1, WANTED_92 | WANTED_NONE },
    { "log-normal, 0.5", next_lognormal, 0, 0.5, WANTED_92 | WANTED_NONE },
    { "log-normal, 1", next_lognormal, 0, 1, WANTED_92 | WANTED_NONE },
    { "Pareto 1.5", next_pareto, 1.5, 0, WANTED_92 | WANTED_NONE },
    { "two modes 70/30, 10 % apart", next_bimodal, 0.3, 0.1,
      WANTED_92 | WANTED_NONE | WANTED_MODES },
    { "two modes 70/30, 100 % apart", next_bimodal, 0.3, 1,
      WANTED_92 | WANTED_NONE | WANTED_MODES },
    { "two modes 50/50, 10 % apart", next_bimodal, 0.5, 0.1,
      WANTED_92 | WANTED_NONE | WANTED_MODES },
    { "AR(1) 0.5, 10 %", next_autoregressive, 0.5, 0.1, WANTED_85 },
    { "AR(1) 0.5, 30 %", next_autoregressive, 0.5, 0.3, WANTED_85 },
    { "AR(1) 0.8, 10 %", next_autoregressive, 0.8, 0.1, WANTED_85 },
    { "AR(1) 0.8, 30 %", next_autoregressive, 0.8, 0.3, WANTED_85 },
    { "10 % in bursts of 10, 100 % longer", next_burst, 0.1, 1, WANTED_85 | WANTED_BURSTS },
    { "25 % in bursts of 10, 20 % longer", next_burst, 0.25, 0.2, WANTED_85 | WANTED_BURSTS },
    { "AR(1) 0.95, 1 %", next_autoregressive, 0.95, 0.01, WANTED_NONE },
    { "AR(1) 0.95, 10 %", next_autoregressive, 0.95, 0.1, WANTED_MARK },
    { "AR(1) 0.95, 30 %", next_autoregressive, 0.95, 0.3, WANTED_MARK },
    { "sine of 4, 10 %", next_sine, 4, 0.1, WANTED_MARK },
    { "sine of 15, 10 %", next_sine, 15, 0.1, WANTED_MARK },
    { "sine of 40, 10 %", next_sine, 40, 0.1, WANTED_MARK },
    { "sine of 100, 10 %", next_sine, 100, 0.1, WANTED_MARK },
    { "sine over the row, 1 %", next_sine, VISITS *FAR_APART, 0.01, WANTED_NONE },
    { "sine over the row, 10 %", next_sine, VISITS *FAR_APART, 0.1, WANTED_MARK },
    { "visits scatter by 20 %", next_machine, 0, 0.2, WANTED_92 | WANTED_FEW },
    { "half of the visits 20 % slower", next_state, 0, 0.2, WANTED_SCATTER },
    { "half of the visits 100 % slower", next_state, 0, 1, WANTED_SCATTER },
    { "a fifth of the visits 20 % slower", next_state, 0.84, 0.2, WANTED_92 | WANTED_FEW },
    { "first visit 20 % slower", next_one, 0, 0.2, WANTED_LEFT_OUT | WANTED_NONE },
    { "last visit 20 % slower", next_one, VISITS - 1, 0.2, WANTED_LEFT_OUT | WANTED_NONE },
    { "first visit 20 % faster", next_one, 0, -0.2, WANTED_MARK },
    { "step at 35 %, 2 %", next_step, 0.35, 0.02, WANTED_NONE },
    { "step at 35 %, 5 %", next_step, 0.35, 0.05, WANTED_MARK },
    { "step at half, 10 %", next_step, 0.5, 0.1, WANTED_MARK },
    { "step at 65 %, 10 %", next_step, 0.65, 0.1, WANTED_MARK },
};
enum { VISITED_CASES = GENERATED_COUNT(visited_cases) };

/* Starts a visit: what came before is forgotten, but for the time. */
static void visited_go(struct source *s, const struct visited_case *c, int visit)
{
    s->t = FAR_APART * (visit + 0.8 * visited_uniform(s));
    s->last = visited_normal(s);
    s->burst = visited_uniform(s) < c->parameter ? (int)(10 * visited_uniform(s)) + 1 : 0;
}

/* As in the standard suite. */
enum { MIN_REPETITION = 64, MAX_REPETITION = 400 };
static const double ACCURACY = 0.03, CUT = 0.25;

/* Adds a visit to the block. */
static void visited_visit(const struct visited_case *c, struct source *source, struct block *b,
                          size_t visit)
{
    const struct limits limits = { .visits = VISITS,
                                   .min_repetition = MIN_REPETITION,
                                   .max_repetition = MAX_REPETITION / VISITS,
                                   .standard_error = ACCURACY,
                                   .cut_quantile = CUT,
                                   .tick_s = 1e-9 };
    struct series s;
    struct err e = { "" };
    if (series_init(&s, &limits, &e) != 0)
        abort();
    visited_go(source, c, (int)visit);
    for (int n; (n = series_next(&s, PAUSES * s.sum_s)) > 0;)
        for (int i = 0; i < n; i++, source->t++)
            series_add(&s, ROW_US * 1e-6 * c->next(source, c));
    const struct row row = { .stats = series_stats(&s), .shape = series_shape(&s), .stop = s.stop };
    if (block_append(b, &row, &e) != 0)
        abort();
    series_release(&s);
}

static const struct pattern_info visited_pattern = { .prefix = "p2p" };
static const struct type_info visited_type = { .name = "a", .pattern = &visited_pattern };

static struct row visited_row(const struct visited_case *c, int seed)
{
    const struct suite suite = { .type = &visited_type,
                                 .max_repetition = MAX_REPETITION,
                                 .standard_error = ACCURACY,
                                 .options = { .passes = VISITS } };
    struct passes p = { .suite = &suite, .wanted = VISITS, .most = VISITS_MOST };
    struct block b = { .suite = &suite };
    struct source source = { .random = 0x123456789u * (uint64_t)(seed + 1) };
    struct text log = { 0 };
    struct err e = { "" };
    long argument;
    source.phase = visited_uniform(&source);
    do
        if (passes_follow_plan(&p) || passes_next(&p, NULL, &b, &argument))
            visited_visit(c, &source, &b, p.done);
    while (passes_go_on(&p, &b, &log));
    if (passes_conclude(&p, &b, &e) != 0)
        abort();
    struct row row = b.rows[0];
    block_release(&b);
    text_release(&log);
    return row;
}

/* What rows of many seeds say. Shares of all rows, but for within: of those that state an error. */
struct visited_result {
    double scatter; /* standard deviation of the values / mean of their errors */
    double within;  /* two errors contain the mean of the values */
    double unsteady, modes, left_out, stated, repetitions, visits;
};

static struct visited_result visited_measure(const struct visited_case *c, int seeds)
{
    struct visited_result r = { 0 };
    double us[SEEDS_MOST], error_us[SEEDS_MOST], mean_us = 0, squares = 0, errors = 0;
    for (int i = 0; i < seeds; i++) {
        struct row row = visited_row(c, i);
        us[i] = row.stats.cleaned.mean_us;
        error_us[i] = row.stats.cleaned.error_us;
        mean_us += us[i] / seeds;
        r.unsteady += row.shape.unsteady;
        r.modes += row.shape.modes.high > 0;
        r.left_out += row.disturbed > 0;
        r.repetitions += row.stats.all.count;
        r.visits += row.passes;
    }
    for (int i = 0; i < seeds; i++) {
        squares += (us[i] - mean_us) * (us[i] - mean_us);
        if (isnan(error_us[i]))
            continue;
        r.stated++;
        errors += error_us[i];
        r.within += fabs(us[i] - mean_us) <= 2 * error_us[i] + 1e-9 * mean_us;
    }
    r.scatter = sqrt(squares / seeds) / (errors / r.stated);
    r.within /= r.stated;
    r.stated /= seeds;
    r.unsteady /= seeds;
    r.modes /= seeds;
    r.left_out /= seeds;
    r.repetitions /= seeds;
    r.visits /= seeds;
    return r;
}

/* Does it have what is wanted? A few seeds more or less are chance. */
static bool visited_is_good(const struct visited_case *c, const struct visited_result *r)
{
    double covered = (c->wanted & WANTED_92) != 0 ? 0.92 : (c->wanted & WANTED_85) != 0 ? 0.85 : 0;
    bool compares = covered > 0 || (c->wanted & WANTED_SCATTER) != 0;
    bool scatters = compares && (r->scatter < 0.7 || r->scatter > 1.5);
    bool left_out = (c->wanted & WANTED_LEFT_OUT) == 0 || r->left_out >= 0.9;
    bool modes = (c->wanted & WANTED_MODES) != 0    ? r->modes >= 0.9
                 : (c->wanted & WANTED_BURSTS) != 0 ? true
                                                    : r->modes <= 0.05;
    bool marks = (c->wanted & WANTED_MARK) != 0   ? r->unsteady >= 0.9
                 : (c->wanted & WANTED_NONE) != 0 ? r->unsteady <= 0.05
                 : (c->wanted & WANTED_FEW) != 0  ? r->unsteady <= 0.1
                                                  : true;
    return !scatters && r->within >= covered && modes && marks && left_out;
}
