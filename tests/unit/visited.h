/* Generated repetitions in time, for visited rows: a row is measured by visits far apart, with the
 * real series, stop rule and combination, once for each of many seeds. Compares values and errors
 * with the truth: time and mean of very many visits, by code of its own. For tests and tests/bench.
 */
#pragma once

#include "merge/passes.h"
#include "stats/pool.h"
#include "stats/series.h"

#include "random.h"
#include "model/suite.h"
#include "results/table.h"

#include <stdlib.h>

enum { SEEDS_MOST = 1000, FAR_APART = 1000 };
static const double ROW_US = 5.79, PAUSES = 3; /* all time / that of repetitions */

/* Where a source of repetitions is. */
struct source {
    uint64_t random;
    double t;     /* repetitions, and time between visits */
    double all;   /* when the last visit ends */
    double last;  /* autoregressive; of a visit */
    double state; /* of a visit, 0 to 1 */
    double phase; /* of the sine, or of the step within the row, 0 to 1 */
    int burst;    /* repetitions left */
    double made;  /* repetitions of the row */
    double octaves[10];
};

struct visited_case;
typedef double next_time(struct source *s, const struct visited_case *c);

enum wanted {
    WANTED_ERROR = 1,   /* two errors, with Student's factor, cover the truth in 90 % */
    WANTED_MARK = 2,    /* 85 % are unsteady: some visits show it by chance too little */
    WANTED_NONE = 4,    /* at most 5 % are unsteady */
    WANTED_MODES = 8,   /* 90 % have two modes; */
    WANTED_BURSTS = 16, /* any number has, and any has states; of others at most 5 % */
    WANTED_SPEEDS = 32, /* 90 % have states; of others at most 5 %, */
    WANTED_SOME = 64,   /* or any number */
    WANTED_TAIL = 128,  /* 90 % are marked */
    WANTED_CURVED = 256 /* of few visits, the cut leaves not the time that it leaves of many */
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

#define NEXT(name, value)                                                                          \
    static double name(struct source *s, const struct visited_case *c)                             \
    {                                                                                              \
        return value;                                                                              \
    }
NEXT(next_normal, 1 + c->size * visited_normal(s))
NEXT(next_lognormal, exp(c->size *visited_normal(s)))
NEXT(next_pareto, pow(1 - visited_uniform(s), -1 / c->parameter))
NEXT(next_bimodal, visited_uniform(s) < c->parameter ? 1 + c->size : 1)

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

/* With a standard deviation of one sigma of the noise; the parameter is the period, 0: the row. */
static double next_sine(struct source *s, const struct visited_case *c)
{
    double period = c->parameter > 0 ? c->parameter : s->all;
    double wave = sqrt(2) * sin(TWO_PI * (s->t / period + s->phase));
    return 1 + c->size * (wave + visited_normal(s));
}

/* One sigma; the parameter is where in the row, as are the visits that are planned. */
NEXT(next_step, 1 + c->size * ((s->t / s->all > c->parameter) + visited_normal(s)))

/* 1/f: octaves of autoregressive noise. */
static double next_octaves(struct source *s, const struct visited_case *c)
{
    double sum = 0;
    for (int i = 0; i < 10; i++) {
        double a = exp(-1.0 / (1 << i));
        s->octaves[i] = a * s->octaves[i] + sqrt(1 - a * a) * visited_normal(s);
        sum += s->octaves[i];
    }
    return 1 + c->size * sum / sqrt(10);
}

/* A process that runs for a part of a period, here in repetitions, and delays what meets it. */
static double next_daemon(struct source *s, const struct visited_case *c)
{
    double period = c->parameter, us = 1 + 0.02 * visited_normal(s);
    double at = fmod(s->phase * period + PAUSES * s->t, period);
    return us + (at < c->size ? c->size - at : 0);
}

/* The parameter is the share of the tail. */
static double next_tail(struct source *s, const struct visited_case *c)
{
    bool far = visited_uniform(s) < c->parameter;
    return (1 + 0.02 * visited_normal(s)) *
           (far ? c->size * pow(1 - visited_uniform(s), -1 / 2.5) : 1);
}

/* The first repetitions of the row take three times as long. */
NEXT(next_cold, (1 + 0.02 * visited_normal(s)) * (s->made < c->parameter ? 3 : 1))

static double steady(struct source *s)
{
    return 1 + 0.02 * visited_normal(s);
}

NEXT(next_machine, steady(s) * (1 + c->size * s->last))
NEXT(next_lognormal_machine, steady(s) * exp(c->size * s->last))
NEXT(next_exponential_machine, steady(s) * (1 - c->size * log1p(-s->state)))

/* The parameter is the share of slow visits. */
NEXT(next_state, steady(s) * (s->state < c->parameter ? 1 + c->size : 1))
NEXT(next_trend, steady(s) * (1 + c->size * s->t / s->all))

/* One visit, the first or the last, is another one. */
static double next_one(struct source *s, const struct visited_case *c)
{
    bool is_it = (int)(s->t / FAR_APART) == (int)(c->parameter * (s->all / FAR_APART - 1));
    return steady(s) * (is_it ? 1 + c->size : 1);
}

#define FINE (WANTED_ERROR | WANTED_NONE)
#define STATE(percent, by)                                                                         \
    {                                                                                              \
#percent " % of visits " #by " % slower", next_state, percent / 100.0, by / 100.0,         \
            WANTED_SOME | WANTED_CURVED | WANTED_ERROR                                             \
    }

static const struct visited_case visited_cases[] = {
    { "normal, 2 %", next_normal, 0, 0.02, FINE },
    { "normal, 10 %", next_normal, 0, 0.1, FINE },
    { "normal, 30 %", next_normal, 0, 0.3, FINE },
    { "log-normal, 0.1", next_lognormal, 0, 0.1, FINE },
    { "log-normal, 0.5", next_lognormal, 0, 0.5, FINE },
    { "log-normal, 1", next_lognormal, 0, 1, FINE },
    { "Pareto 1.5", next_pareto, 1.5, 0, FINE | WANTED_TAIL },
    { "two modes 70/30, 10 % apart", next_bimodal, 0.3, 0.1, FINE | WANTED_MODES },
    { "two modes 70/30, 100 % apart", next_bimodal, 0.3, 1, FINE | WANTED_MODES },
    { "two modes 50/50, 10 % apart", next_bimodal, 0.5, 0.1, FINE | WANTED_MODES },
    { "AR(1) 0.5, 10 %", next_autoregressive, 0.5, 0.1, WANTED_ERROR },
    { "AR(1) 0.5, 30 %", next_autoregressive, 0.5, 0.3, WANTED_ERROR },
    { "AR(1) 0.8, 10 %", next_autoregressive, 0.8, 0.1, WANTED_ERROR },
    { "AR(1) 0.8, 30 %", next_autoregressive, 0.8, 0.3, WANTED_ERROR },
    { "10 % in bursts of 10, 100 % longer", next_burst, 0.1, 1, WANTED_ERROR | WANTED_BURSTS },
    { "25 % in bursts of 10, 20 % longer", next_burst, 0.25, 0.2, WANTED_ERROR | WANTED_BURSTS },
    { "AR(1) 0.95, 1 %", next_autoregressive, 0.95, 0.01, FINE },
    { "AR(1) 0.95, 10 %", next_autoregressive, 0.95, 0.1, WANTED_ERROR | WANTED_MARK },
    { "AR(1) 0.95, 30 %", next_autoregressive, 0.95, 0.3, WANTED_ERROR | WANTED_MARK },
    { "sine of 4, 10 %", next_sine, 4, 0.1, WANTED_ERROR | WANTED_MARK },
    { "sine of 15, 10 %", next_sine, 15, 0.1, WANTED_ERROR | WANTED_MARK },
    { "sine of 40, 10 %", next_sine, 40, 0.1, WANTED_ERROR | WANTED_MARK },
    { "sine of 100, 10 %", next_sine, 100, 0.1, WANTED_ERROR | WANTED_MARK },
    { "sine over the row, 1 %", next_sine, 0, 0.01, WANTED_NONE },
    { "sine over the row, 10 %", next_sine, 0, 0.1, WANTED_MARK },
    { "first visit 20 % slower", next_one, 0, 0.2, WANTED_NONE | WANTED_SPEEDS },
    { "last visit 20 % slower", next_one, 1, 0.2, WANTED_NONE | WANTED_SPEEDS },
    { "first visit 20 % faster", next_one, 0, -0.2, WANTED_MARK | WANTED_SPEEDS },
    { "step at 35 %, 2 %", next_step, 0.35, 0.02, WANTED_NONE },
    { "step at 35 %, 5 %", next_step, 0.35, 0.05, WANTED_MARK | WANTED_SOME },
    { "step at half, 10 %", next_step, 0.5, 0.1, WANTED_MARK | WANTED_SOME },
    { "step at 65 %, 10 %", next_step, 0.65, 0.1, WANTED_MARK | WANTED_SOME },
    { "trend, 20 %", next_trend, 0, 0.2, WANTED_MARK },
    { "trend, 100 %", next_trend, 0, 1, WANTED_MARK },
    { "visits normal, 20 %", next_machine, 0, 0.2, FINE },
    { "visits log-normal, 5 %", next_lognormal_machine, 0, 0.05, FINE },
    { "visits log-normal, 20 %", next_lognormal_machine, 0, 0.2, FINE },
    { "visits exponential, 10 %", next_exponential_machine, 0, 0.1, FINE | WANTED_SOME },
    { "visits exponential, 50 %", next_exponential_machine, 0, 0.5,
      FINE | WANTED_SOME | WANTED_CURVED },
    STATE(5, 20),
    STATE(5, 900),
    STATE(10, 50),
    STATE(20, 20),
    STATE(30, 4),
    STATE(30, 100),
    STATE(45, 35),
    STATE(50, 20),
    STATE(50, 100),
    STATE(60, 900),
    STATE(75, 20),
    STATE(90, 100),
    { "daemon, 10 ms each s", next_daemon, 1e6 / 5.79, 1e4 / 5.79,
      WANTED_SOME | WANTED_CURVED | WANTED_ERROR },
    { "daemon, 1 ms each 20 ms", next_daemon, 2e4 / 5.79, 1e3 / 5.79,
      WANTED_SOME | WANTED_CURVED | WANTED_ERROR },
    { "1 % in a tail of Pareto 2.5", next_tail, 0.01, 10,
      WANTED_ERROR | WANTED_NONE | WANTED_SOME },
    { "1/f, 10 %", next_octaves, 0, 0.1, WANTED_ERROR },
    { "first 50 cold", next_cold, 50, 0, WANTED_ERROR | WANTED_CURVED | WANTED_SOME },
};
enum { VISITED_CASES = GENERATED_COUNT(visited_cases) };

/* Starts a visit: what came before is forgotten, except the time. */
static void visited_go(struct source *s, const struct visited_case *c, int visit)
{
    s->t = FAR_APART * (visit + 0.8 * visited_uniform(s));
    s->last = visited_normal(s);
    s->state = visited_uniform(s);
    s->phase = c->next == next_daemon ? visited_uniform(s) : s->phase;
    for (int i = 0; i < 10; i++)
        s->octaves[i] = visited_normal(s);
    s->burst = visited_uniform(s) < c->parameter ? (int)(10 * visited_uniform(s)) + 1 : 0;
}

/* As in the standard suite. */
enum { MIN_REPETITION = 64, MAX_REPETITION = 400 };
static const double ACCURACY = 0.03, CUT = 0.25;

struct visiting {
    int passes;
    enum estimate estimate;
    int max_repetition; /* 0: MAX_REPETITION */
};

static int visited_max(const struct visiting *v)
{
    return v->max_repetition > 0 ? v->max_repetition : MAX_REPETITION;
}

static void visited_series(const struct visited_case *c, struct source *source,
                           const struct visiting *v, struct series *s)
{
    const struct limits limits = { .visits = v->passes,
                                   .visit_s = 0.25e-3,
                                   .min_repetition = MIN_REPETITION,
                                   .max_repetition = visited_max(v) / v->passes,
                                   .standard_error = ACCURACY,
                                   .cut_quantile = CUT,
                                   .tick_s = 1e-9 };
    struct err e = { "" };
    if (series_init(s, &limits, &e) != 0)
        abort();
    for (int n; (n = series_next(s, PAUSES * s->sum_s)) > 0;)
        for (int i = 0; i < n; i++, source->t++, source->made++)
            series_add(s, ROW_US * 1e-6 * c->next(source, c));
}

struct truth {
    double time_us, mean_us;
};

struct weighed {
    double us, weight;
};

static int visited_by_size(const void *a, const void *b)
{
    const struct weighed *x = a, *y = b;
    return (x->us > y->us) - (x->us < y->us);
}

/* Manual 2.1.4: without the part of the weights that is cut at each end. */
static double visited_cut_mean(struct weighed *list, size_t n)
{
    double all = 0, before = 0, sum = 0;
    qsort(list, n, sizeof(*list), visited_by_size);
    for (size_t i = 0; i < n; i++)
        all += list[i].weight;
    for (size_t i = 0; i < n; before += list[i++].weight) {
        double from = fmax(before, CUT * all);
        double to = fmin(before + list[i].weight, (1 - CUT) * all);
        sum += to > from ? (to - from) * list[i].us : 0;
    }
    return sum / ((1 - 2 * CUT) * all);
}

/* Time and mean of this number of generated visits, of which each place in the row has as many;
 * states of the machine are spread evenly over them. */
static struct truth visited_truth(const struct visited_case *c, const struct visiting *v,
                                  int visits)
{
    struct source source = { .random = 0xfedcbau, .all = FAR_APART * v->passes, .made = 1e9 };
    struct weighed *list = malloc((size_t)visits * (size_t)visited_max(v) * sizeof(*list));
    struct truth truth = { 0, 0 };
    size_t n = 0;
    for (int i = 0; i < visits && list != NULL; i++) {
        struct series s;
        source.phase = visited_uniform(&source);
        visited_go(&source, c, i % v->passes);
        source.state = (i / v->passes + 0.5) / (visits / v->passes);
        visited_series(c, &source, v, &s);
        for (int k = 0; k < s.n; k++) {
            truth.mean_us += s.times_us[k] / s.n / visits;
            list[n++] = (struct weighed){ s.times_us[k], 1.0 / s.n };
        }
        series_release(&s);
    }
    truth.time_us = visited_cut_mean(list, n);
    free(list);
    return truth;
}

static const struct pattern_info visited_pattern = { .prefix = "p2p" };
static const struct type_info visited_type = { .name = "a", .pattern = &visited_pattern };

static struct suite visited_suite(const struct visiting *v)
{
    return (struct suite){ .type = &visited_type,
                           .min_repetition = MIN_REPETITION,
                           .max_repetition = visited_max(v),
                           .standard_error = ACCURACY,
                           .cut_quantile = CUT,
                           .options = { .passes = v->passes, .estimate = v->estimate } };
}

static void visited_visit(const struct visited_case *c, struct source *source,
                          const struct visiting *v, struct block *b, size_t visit)
{
    struct series s;
    visited_go(source, c, (int)visit);
    visited_series(c, source, v, &s);
    struct row row = { .stats = series_stats(&s), .shape = series_shape(&s), .stop = s.stop };
    row.kept_us = s.sorted;
    row.kept = kept_of(s.sorted, s.n, s.sorted);
    block_append(b, &row);
    series_release(&s);
}

static const struct plan_spec visited_plan = { .scale = SCALE_FIXED_LINEAR,
                                               .quantum = 1,
                                               .stepwidth = 1 };

/* With resumed, another launch goes on before the last visit. */
static struct row visited_row(const struct visited_case *c, int seed, const struct visiting *v,
                              bool resumed)
{
    const struct suite suite = visited_suite(v);
    struct passes p = passes_start(&suite, 2);
    struct block b = { .suite = &suite, .first_call_us = -1 };
    struct source source = { .random = 0x123456789u * (uint64_t)(seed + 1),
                             .all = FAR_APART * v->passes };
    struct text log = { 0 };
    struct plan *plan = plan_new(&visited_plan);
    long argument;
    source.phase = visited_uniform(&source);
    do {
        text_add(&log, log.len > 0 ? "\n" : "");
        if (resumed && p.done + 1 == p.wanted && p.done > 0) {
            plan_free(plan);
            plan = plan_new(&visited_plan);
            block_drop_rows(&b, 0);
            p = passes_start(&suite, 2);
            if (!passes_resume(&p, plan, &b, text_get(&log)))
                abort();
        }
        if (passes_next(&p, plan, &b, &argument))
            visited_visit(c, &source, v, &b, (size_t)p.done);
    } while (passes_go_on(&p, &b, &log));
    passes_conclude(&p, &b);
    struct row row = b.rows[0];
    plan_free(plan);
    block_release(&b);
    text_release(&log);
    return row;
}

/* The results of rows of many seeds: shares of all rows. */
struct visited_result {
    double bias, bias_error; /* mean of the values / truth, and the standard error of that */
    double scatter;          /* standard deviation of the values / mean of their errors */
    double within;           /* two errors, with Student's factor, contain the truth */
    double mean_within;      /* the same of the mean, and its truth */
    double unsteady, modes, states, marked, left_out, repetitions;
};

/* The errors that cover as much as two of a normal value, by the number of visits. */
static double visited_student(int visits)
{
    static const double factors[] = {
        NAN, 2, 13.97, 4.53, 3.31, 2.87, 2.65, 2.52, 2.43, 2.37, 2.32
    };
    return factors[visits];
}

static bool visited_covers(const struct row *row, const struct summary *s, double truth_us)
{
    double by = visited_student(row->passes == 0 ? 1 : row->passes);
    return fabs(s->mean_us - truth_us) <= by * s->error_us + 1e-9 * truth_us;
}

static void visited_add(struct visited_result *r, const struct row *row, const struct truth *truth)
{
    const struct block b = { .suite = &(struct suite){ .type = &visited_type } };
    r->within += visited_covers(row, &row->stats.cleaned, truth->time_us);
    r->mean_within += visited_covers(row, &row->stats.all, truth->mean_us);
    r->unsteady += row->shape.unsteady;
    r->modes += row->shape.modes.high > 0;
    r->states += row->states.high > 0;
    r->marked += row_marks(&b, row) != 0;
    r->left_out += row->disturbed > 0;
    r->repetitions += row->stats.all.count;
}

static struct visited_result visited_measure(const struct visited_case *c, int seeds,
                                             const struct visiting *v, struct truth truth)
{
    struct visited_result r = { 0 };
    double us[SEEDS_MOST], mean_us = 0, squares = 0, errors = 0;
    for (int i = 0; i < seeds; i++) {
        struct row row = visited_row(c, i, v, false);
        us[i] = row.stats.cleaned.mean_us;
        mean_us += us[i] / seeds;
        errors += row.stats.cleaned.error_us / seeds;
        visited_add(&r, &row, &truth);
    }
    for (int i = 0; i < seeds; i++)
        squares += (us[i] - mean_us) * (us[i] - mean_us) / seeds;
    for (double *share = &r.within; share <= &r.repetitions; share++)
        *share /= seeds;
    r.bias = mean_us / truth.time_us;
    r.bias_error = sqrt(squares / seeds) / truth.time_us;
    r.scatter = sqrt(squares) / errors;
    return r;
}

/* An expectation within 2 %, as far as the seeds show it. */
static bool visited_is_unbiased(const struct visited_case *c, const struct visited_result *r)
{
    return (c->wanted & WANTED_CURVED) != 0 || fabs(r->bias - 1) <= 0.02 + 3 * r->bias_error;
}

/* Does this number of visits rarely miss one of its states? If not, the row says so (unseen=). */
static bool visited_shows(const struct visited_case *c, int passes)
{
    double unseen = 1 - pow(0.1, 1.0 / passes);
    return c->next != next_state || (c->parameter > unseen && 1 - c->parameter > unseen);
}

/* Fixed seeds may cover a little less by chance. */
static bool visited_is_covered(const struct visited_case *c, const struct visited_result *r,
                               int passes, int seeds)
{
    bool wanted = (c->wanted & WANTED_ERROR) != 0 && visited_shows(c, passes);
    return !wanted || r->within >= 0.9 - 2 * sqrt(0.9 * 0.1 / seeds);
}

/* Does it have the marks that are wanted? Fewer seeds than SEEDS_MOST may show a little more of
 * what is rare. */
static bool visited_is_marked(const struct visited_case *c, const struct visited_result *r,
                              int seeds)
{
    double rare = 0.05 + 2 * sqrt(0.05 * 0.95) * (1 / sqrt(seeds) - 1 / sqrt(SEEDS_MOST));
    bool modes = (c->wanted & WANTED_MODES) != 0    ? r->modes >= 0.9
                 : (c->wanted & WANTED_BURSTS) != 0 ? true
                                                    : r->modes <= rare;
    bool states = (c->wanted & WANTED_SPEEDS) != 0                   ? r->states >= 0.9
                  : (c->wanted & (WANTED_SOME | WANTED_BURSTS)) != 0 ? true
                                                                     : r->states <= rare;
    bool marks = (c->wanted & WANTED_MARK) != 0   ? r->unsteady >= 0.85
                 : (c->wanted & WANTED_NONE) != 0 ? r->unsteady <= rare
                                                  : true;
    bool tail = (c->wanted & WANTED_TAIL) == 0 || r->marked >= 0.9;
    return modes && states && marks && tail && r->left_out == 0;
}
