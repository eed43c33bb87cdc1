#include "../test.h"
#include "../random.h"

#include "merge/between.h"

#include <float.h>

/* Errors computed separately. Only a huge distance has no error; equal values and one other have.
 */
static const struct between_case {
    size_t count;
    double values[10];
    struct {
        size_t runs;
        double median, error;
    } expected;
} cases[] = {
    { 0, { 0 }, { 0, NAN, NAN } },
    { 1, { 3 }, { 1, 3, NAN } },
    { 1, { NAN }, { 0, NAN, NAN } },
    { 2, { 4, 2 }, { 2, 3.0, 6.3639610306789285 } },
    { 3, { 9, 1, 2 }, { 3, 2.0, 5.892556509887896 } },
    { 4, { 4, 1, 3, 2 }, { 4, 2.5, 1.3695916362186213 } },
    { 4, { NAN, 4, NAN, 2 }, { 2, 3.0, 6.3639610306789285 } },
    { 5, { 7.1, 7.1, 7.1, 7.1, 7.1 }, { 5, 7.1, 0.0 } },
    { 6, { -1, 100, 0, 0, 0, 0 }, { 6, 0.0, 0.8063808033429368 } },
    { 2, { DBL_MAX, DBL_MAX }, { 2, DBL_MAX, 0 } },
    { 2, { -DBL_MAX, DBL_MAX }, { 2, 0, NAN } },
    { 4, { 10, 1000, 10.1, 9.9 }, { 4, 10.05, 0.2937446808029047 } },
    { 5, { 1.01, 50, 1, 100, 1.02 }, { 5, 1.02, 0.05154415582779488 } },
    { 5, { 7, 7, 7, 7, 8 }, { 5, 7.0, 0.36 } },
    { 6, { 3, 1, 4, 1.5, 9, 2.6 }, { 6, 2.7999999999999998, 1.5216899322792405 } },
    { 7, { 3, 1, 4, 1.5, 9, 2.6, 5 }, { 7, 3, 1.4361169016142248 } },
    { 8, { 3, 1, 4, 1.5, 9, 2.6, 5, 3.5 }, { 8, 3.25, 1.1127504352953541 } },
    { 9, { 3, 1, 4, 1.5, 9, 2.6, 5, 3.5, 8 }, { 9, 3.5, 1.2296339111929029 } },
    { 10, { 3, 1, 4, 1.5, 9, 2.6, 5, 3.5, 8, 7 }, { 10, 3.75, 1.1315556835613525 } },
};

static int same(double a, double b)
{
    return isnan(a) ? isnan(b) : fabs(a - b) <= 1e-12 * fabs(b);
}

TEST(test_cases)
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        double values[10];
        memcpy(values, cases[i].values, sizeof(values));
        struct between b = between_runs(values, cases[i].count);
        if (b.runs != cases[i].expected.runs || !same(b.median, cases[i].expected.median) ||
            !same(b.error, cases[i].expected.error))
            fail_msg("case %zu: %zu runs, %g, %.16g", i, b.runs, b.median, b.error);
    }
}

enum { SETS = 20000, MAX_RUNS = 20 };

struct coverage {
    double within, scatter; /* two errors cover this share; deviation of medians / mean error */
};

/* Sets of runs around 100, normal or skewed (log-normal); the first `bad` take ten times as long.
 */
static struct coverage coverage_of(size_t runs, size_t bad, int skewed)
{
    uint64_t state = 20061012 + runs;
    double squares = 0, errors = 0, within = 0;
    for (int set = 0; set < SETS; set++) {
        double values[MAX_RUNS];
        for (size_t i = 0; i < runs; i++) {
            double z = generated_normal(&state);
            values[i] = (skewed ? 99 + exp(0.5 * z) : 100 + z) * (i < bad ? 10 : 1);
        }
        struct between b = between_runs(values, runs);
        within += fabs(b.median - 100) <= 2 * b.error;
        squares += (b.median - 100) * (b.median - 100);
        errors += b.error;
    }
    return (struct coverage){ within / SETS, sqrt(squares / SETS) / (errors / SETS) };
}

static bool is_between(double value, double least, double most)
{
    return value >= least && value <= most;
}

/* Two errors cover 95 %. From five runs on, the error is about as large as the scatter, with
 * disturbed ones up to four times. */
TEST(test_coverage)
{
    for (size_t runs = 2; runs <= MAX_RUNS; runs++) {
        struct coverage usual = coverage_of(runs, 0, 0), skewed = coverage_of(runs, 0, 1);
        struct coverage bad = { 1, 1 };
        if (runs > 3)
            bad = coverage_of(runs, runs / 4, 0);
        double least = runs > 4 ? 0.75 : 0.55;
        if (!is_between(usual.within, 0.945, 0.962) || !is_between(skewed.within, 0.94, 0.965) ||
            bad.within < 0.95 || bad.scatter < 0.25 ||
            (runs > 3 && !is_between(usual.scatter, least, 1.1)))
            fail_msg("%zu runs: two errors cover %.3f, skewed %.3f, disturbed %.3f; scatter %.2f "
                     "errors, disturbed %.2f",
                     runs, usual.within, skewed.within, bad.within, usual.scatter, bad.scatter);
    }
}

TEST(test_error_of_errors)
{
    const struct between one = { .runs = 1 }, five = { .runs = 5, .error = 0.1, .mean_error = 0.2 },
                         small = { .runs = 5, .median = 0.1 }, large = { .runs = 5, .median = 1 },
                         none = { .median = NAN };
    assert_true(same(between_error(&one, &large), 1));
    assert_true(same(between_error(&five, &small), 0.1));
    assert_true(same(between_error(&five, &large), 1.2 / sqrt(5)));
    assert_true(same(between_error(&five, &none), 0.1));
    assert_true(same(between_mean_error(&one, &large), 1));
    assert_true(same(between_mean_error(&five, &small), 0.2));
    assert_true(same(between_mean_error(&five, &large), 1 / sqrt(5)));
    assert_true(same(between_mean_error(&five, &none), 0.2));
}

TEST(test_means)
{
    static const struct {
        size_t count;
        double values[6], mean, error;
    } rows[] = {
        { 0, { 0 }, NAN, NAN },
        { 1, { 3 }, 3, NAN },
        { 2, { 4, 2 }, 3, 1 },
        { 4, { 1, NAN, 2, 9 }, 4, 2.516611478423583 },
        { 5, { 7, 7, 7, 7, 7 }, 7, 0 },
        { 5, { 7, 7, 7, 7, 12 }, 8, 1 },
        { 2, { DBL_MAX, DBL_MAX }, DBL_MAX, 0 },
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        double values[6];
        memcpy(values, rows[i].values, sizeof(values));
        struct between b = between_runs(values, rows[i].count);
        if (!same(b.mean, rows[i].mean) || !same(b.mean_error, rows[i].error))
            fail_msg("case %zu: %.16g, %.16g", i, b.mean, b.mean_error);
    }
}
