/* Generated series of repetitions: the real series and stop rule measure times drawn from a
 * distribution whose cut mean is known, once for each of many seeds. Compares the error that rows
 * state with how far they are from that mean. For tests and tests/bench. */
#pragma once

#include "random.h"
#include "stats/series.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { POPULATION = 5000 };
static const double USUAL_US = 5.79;

/* A distribution of noise by its quantile function; noise is relative to USUAL_US. */
struct noise {
    const char *name;
    double (*quantile)(double part);
    double size;
};

#define NOISE(name, value)                                                                         \
    static double name(double part)                                                                \
    {                                                                                              \
        return value;                                                                              \
    }
NOISE(no_noise, 0 * part)

static double normal_noise(double part)
{
    double below = -9, above = 9;
    for (int i = 0; i < 50; i++) {
        double middle = (below + above) / 2;
        if (0.5 * erfc(-middle / sqrt(2)) < part)
            below = middle;
        else
            above = middle;
    }
    return below;
}

NOISE(exponential_noise, -log1p(-part))

/* Three of ten values are in a second mode. */
NOISE(two_modes, part < 0.7 ? 0 : 1)

static const struct noise bimodal = { "two modes, 10 % apart", two_modes, 0.1 };

static const struct noise noises[] = {
    { "none", no_noise, 0 },
    { "normal, 10 %", normal_noise, 0.1 },
    { "exponential, 50 %", exponential_noise, 0.5 },
};

struct generated_case {
    const struct noise *noise;
    double delayed; /* share of the repetitions that take twice the time */
    double cut_quantile;
    double accuracy;
    int max_repetition;
    enum error_rule error;
    enum stop stop; /* only rows that end this way count */
};

static const double generated_delays[] = { 0, 0.01, 0.1 }, generated_cuts[] = { 0, 0.25 },
                    generated_accuracies[] = { 0.01, 0.03 };
enum {
    GENERATED_WITHOUT_NOISE =
        GENERATED_COUNT(generated_cuts) * GENERATED_COUNT(generated_accuracies),
    GENERATED_CASES =
        GENERATED_COUNT(noises) * GENERATED_COUNT(generated_delays) * GENERATED_WITHOUT_NOISE
};

/* Every combination; the first ones have neither noise nor delays. */
static struct generated_case generated_case(size_t i)
{
    struct generated_case c = { .max_repetition = 3000,
                                .error = ERROR_WINSORISED,
                                .stop = STOP_ACCURACY };
    c.accuracy = generated_accuracies[i % GENERATED_COUNT(generated_accuracies)];
    i /= GENERATED_COUNT(generated_accuracies);
    c.cut_quantile = generated_cuts[i % GENERATED_COUNT(generated_cuts)];
    i /= GENERATED_COUNT(generated_cuts);
    c.delayed = generated_delays[i % GENERATED_COUNT(generated_delays)];
    c.noise = &noises[i / GENERATED_COUNT(generated_delays)];
    return c;
}

/* The values of rows that ended in one way. */
struct generated_result {
    int rows;
    double repetitions; /* mean */
    double scatter;     /* standard deviation of the rows' times / mean of their stated errors; NaN
                         * if all rows have the same time and state no error */
    double within_errors; /* share of rows within two stated errors, with Student's factor */
};

/* The population to draw from, sorted; 7919 is prime: every delayed share has all quantiles. */
static void generated_population(const struct generated_case *c, double *us)
{
    for (int i = 0; i < POPULATION; i++) {
        double part = (i + 0.5) / POPULATION;
        bool delayed = i * 7919 % POPULATION < c->delayed * POPULATION;
        us[i] = USUAL_US * (1 + c->noise->size * c->noise->quantile(part)) * (delayed ? 2 : 1);
    }
    sort_values(us, POPULATION);
}

static double generated_truth(const struct generated_case *c, const double *us)
{
    int cut = (int)(POPULATION * c->cut_quantile);
    double sum = 0;
    for (int i = cut; i < POPULATION - cut; i++)
        sum += us[i];
    return sum / (POPULATION - 2 * cut);
}

/* Measures a row; false: it ended in another way. */
static bool generated_row(const struct generated_case *c, const double *us, int seed,
                          struct stats *stats)
{
    const struct limits limits = { .min_repetition = 8,
                                   .max_repetition = c->max_repetition,
                                   .standard_error = c->accuracy,
                                   .cut_quantile = c->cut_quantile,
                                   .tick_s = 1e-9,
                                   .error = c->error };
    uint64_t state = 0x123456789u * (uint64_t)(seed + 1);
    struct series s;
    struct err e = { "" };
    if (series_init(&s, &limits, &e) != 0)
        abort();
    for (int n; (n = series_next(&s, s.sum_s)) > 0;)
        for (int i = 0; i < n; i++)
            series_add(&s, us[(int)(generated_random(&state) * POPULATION)] * 1e-6);
    *stats = series_stats(&s);
    bool counts = s.stop == c->stop;
    series_release(&s);
    return counts;
}

/* Two errors with Student's factor: Cornish and Fisher's expansion for as many degrees of freedom
 * as values remain, less one. */
static bool generated_within(const struct summary *row, double truth_us)
{
    double freedom = row->count - 1;
    double factor = 2 + 2.5 / freedom + 3.06 / (freedom * freedom);
    return fabs(row->mean_us - truth_us) <= factor * row->error_us + 1e-9 * truth_us;
}

static struct generated_result generated_measure(const struct generated_case *c, int seeds)
{
    struct generated_result r = { 0, 0, NAN, 0 };
    double us[POPULATION], sum = 0, squares = 0, errors = 0;
    generated_population(c, us);
    double truth_us = generated_truth(c, us);
    for (int seed = 0; seed < seeds; seed++) {
        struct stats row;
        if (!generated_row(c, us, seed, &row))
            continue;
        double off_us = row.cleaned.mean_us - truth_us;
        r.rows++;
        r.repetitions += row.all.count;
        r.within_errors += generated_within(&row.cleaned, truth_us);
        sum += off_us;
        squares += off_us * off_us;
        errors += row.cleaned.error_us;
    }
    double variance = (squares - sum * sum / r.rows) / (r.rows - 1);
    if (errors > 0 || variance > 1e-18)
        r.scatter = sqrt(fmax(variance, 0)) / (errors / r.rows);
    r.repetitions /= r.rows;
    r.within_errors /= r.rows;
    return r;
}
