#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "stats/stats.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_TIMES = 12 };

static void check_near(const char *what, double is, double expected)
{
    double bound = 1e-12 * fmax(1, fabs(expected));
    if (isnan(is) != isnan(expected) || fabs(is - expected) > bound)
        fail_msg("%s: %.17g, expected %.17g", what, is, expected);
}

static void test_stop_names(void **state)
{
    static const char *const names[STOP_COUNT] = { "none", "accuracy", "repetitions", "time",
                                                   "unsynchronised" };
    (void)state;
    for (int i = 0; i < STOP_COUNT; i++)
        assert_string_equal(stop_name((enum stop)i), names[i]);
}

struct mean_case {
    double times[MOST_TIMES];
    int n;
    double quantile;
    int count; /* cleaned */
    double mean, error;
};

static const struct mean_case mean_cases[] = {
    { { 7 }, 1, 0.25, 1, 7, 0 },
    { { 3, 1 }, 2, 0, 2, 2, 0.70710678118654752 },             /* sigma = 1 */
    { { 4, 2, 1, 3 }, 4, 0, 4, 2.5, 0.55901699437494742 },     /* sigma = sqrt(1.25) */
    { { 4, 1000, 1, 2 }, 4, 0.25, 2, 3, 0.70710678118654752 }, /* 2 and 4 are left */
    { { 9, 5, 1, 2, 3 }, 5, 0.25, 3, 10 / 3.0, 0.72008229982309513 },
    { { 9, 5, 1, 2, 3 }, 5, 0.19, 5, 4, 1.2649110640673518 }, /* floor(0.95) is 0 */
    { { 0, 1, 2, 3, 4, 5, 6, 7, 8, 99 }, 10, 0.3, 4, 4.5, 0.55901699437494742 },
    { { 5, 6, 1 }, 3, 0.4999, 1, 5, 0 }, /* never cuts all */
    { { 5, 6 }, 2, 0.4999999999, 2, 5.5, 0.35355339059327376 },
    { { 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1 }, 7, 0, 7, 0.1, 0 },
    { { -3, -1 }, 2, 0, 2, -2, 0.70710678118654752 },
};

static void test_means(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(mean_cases) / sizeof(mean_cases[0]); i++) {
        const struct mean_case *c = &mean_cases[i];
        double times[MOST_TIMES];
        memcpy(times, c->times, sizeof(times));
        struct stats s = stats_of(times, c->n, c->quantile);
        assert_int_equal(s.cleaned.count, c->count);
        assert_int_equal(s.all.count, c->n);
        check_near("mean", s.cleaned.mean_us, c->mean);
        check_near("error", s.cleaned.error_us, c->error);
    }
}

static void test_all_keeps_the_outliers(void **state)
{
    double times[] = { 4, 1000, 1, 3 };
    (void)state;
    struct stats s = stats_of(times, 4, 0.25);
    check_near("cleaned", s.cleaned.mean_us, 3.5);
    check_near("all", s.all.mean_us, 252);
    assert_true(s.all.error_us > 100);
}

static void test_times_are_sorted(void **state)
{
    double times[] = { 3, 1, 2 };
    (void)state;
    stats_of(times, 3, 0);
    for (int i = 0; i < 3; i++)
        check_near("time", times[i], i + 1);
}

struct percentile_case {
    double times[MOST_TIMES];
    int n;
    double min, p25, median, p75, max;
};

static const struct percentile_case percentile_cases[] = {
    { { 7 }, 1, 7, 7, 7, 7, 7 },
    { { 2, 1 }, 2, 1, 1.25, 1.5, 1.75, 2 },
    { { 1, 2, 3 }, 3, 1, 1.5, 2, 2.5, 3 },
    { { 40, 10, 30, 20 }, 4, 10, 17.5, 25, 32.5, 40 },
    { { 1, 2, 3, 4, 100 }, 5, 1, 2, 3, 4, 100 },
};

static void test_percentiles(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(percentile_cases) / sizeof(percentile_cases[0]); i++) {
        const struct percentile_case *c = &percentile_cases[i];
        double times[MOST_TIMES];
        memcpy(times, c->times, sizeof(times));
        struct stats s = stats_of(times, c->n, 0.25);
        check_near("min", s.min_us, c->min);
        check_near("p25", s.p25_us, c->p25);
        check_near("median", s.median_us, c->median);
        check_near("p75", s.p75_us, c->p75);
        check_near("max", s.max_us, c->max);
    }
}

static void test_no_times(void **state)
{
    (void)state;
    struct stats s = stats_of(NULL, 0, 0.25);
    assert_int_equal(s.cleaned.count, 0);
    assert_int_equal(s.all.count, 0);
    const double times[] = { s.cleaned.mean_us, s.cleaned.error_us, s.all.mean_us,
                             s.all.error_us,    s.min_us,           s.p25_us,
                             s.median_us,       s.p75_us,           s.max_us };
    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
        assert_true(isnan(times[i]));
}

/* Small differences between large values, as from a clock that has run for a long time. */
static void test_large_values_small_differences(void **state)
{
    double times[] = { 1e9 + 1, 1e9 + 3, 1e9 + 1, 1e9 + 3 };
    (void)state;
    struct stats s = stats_of(times, 4, 0);
    check_near("mean", s.all.mean_us, 1e9 + 2);
    check_near("error", s.all.error_us, 0.5);
}

/* 0.29 * 100 is a little less than 29 in binary. */
static void test_quantile_of_whole_number(void **state)
{
    double times[100];
    (void)state;
    for (int i = 0; i < 100; i++)
        times[i] = i;
    assert_int_equal(stats_of(times, 100, 0.29).cleaned.count, 42);
}

/* What the stop rule knows: limits and what was measured so far. */
struct rule_case {
    const char *what;
    struct limits limits;
    int count; /* cleaned */
    double mean_us, error_us;
    int n;
    double sum_s;
    int expected; /* enum stop, or a number of repetitions */
};

/* { min, max, standard error, quantile, time, tick } */
#define PLAIN                                                                                      \
    {                                                                                              \
        4, 20, 0.05, 0.25, 0, 1e-9                                                                 \
    }
#define TIMED                                                                                      \
    {                                                                                              \
        4, 20, 0.05, 0.25, 1e-3, 1e-9                                                              \
    }
#define COARSE                                                                                     \
    {                                                                                              \
        4, 20, 0.05, 0.25, 0, 1e-6                                                                 \
    }

static const struct rule_case stop_cases[] = {
    { "error just below", PLAIN, 4, 100, 4.99, 4, 4e-4, STOP_ACCURACY },
    { "error not below", PLAIN, 4, 100, 5, 4, 4e-4, STOP_NONE },
    { "too few", PLAIN, 3, 100, 0.1, 3, 3e-4, STOP_NONE },
    { "as many as allowed", PLAIN, 10, 100, 50, 20, 2e-3, STOP_REPETITIONS },
    { "exact at the last moment", PLAIN, 10, 100, 1, 20, 2e-3, STOP_ACCURACY },
    { "one less than allowed", PLAIN, 10, 100, 50, 19, 2e-3, STOP_NONE },
    { "tick not yet outweighed", COARSE, 4, 1, 0.01, 4, 1.99e-5, STOP_NONE },
    { "tick outweighed", COARSE, 4, 1, 0.01, 4, 2.01e-5, STOP_ACCURACY },
    { "tick never outweighed", COARSE, 10, 0.1, 0.001, 20, 2e-6, STOP_REPETITIONS },
    { "all equal", PLAIN, 4, 100, 0, 4, 4e-4, STOP_ACCURACY },
    { "all equal, all nothing", PLAIN, 4, 0, 0, 4, 4e-4, STOP_ACCURACY },
    { "all equal, but shorter than the tick", COARSE, 4, 0, 0, 4, 0, STOP_NONE },
    { "mean of zero", PLAIN, 4, 0, 1, 4, 4e-4, STOP_NONE },
    { "negative mean", PLAIN, 4, -100, 1, 4, 4e-4, STOP_NONE },
    { "no number", PLAIN, 4, NAN, NAN, 4, 4e-4, STOP_NONE },
    { "no number, as many as allowed", PLAIN, 4, NAN, NAN, 20, 4e-4, STOP_REPETITIONS },
    { "a single value that is left has no error", PLAIN, 1, 100, 0, 4, 4e-4, STOP_NONE },
    { "two values that are left have one", PLAIN, 2, 100, 1, 4, 4e-4, STOP_ACCURACY },
    { "no error allowed", { 4, 20, 0, 0, 0, 1e-9 }, 4, 100, 0, 4, 4e-4, STOP_NONE },
    { "time: accuracy has no say", TIMED, 4, 100, 0.1, 10, 0.99e-3, STOP_NONE },
    { "time: minimum has no say", TIMED, 1, 1000, 0, 1, 1e-3, STOP_TIME },
    { "time is up", TIMED, 10, 100, 50, 11, 1.1e-3, STOP_TIME },
    { "time: as many as allowed", TIMED, 10, 10, 5, 20, 0.2e-3, STOP_REPETITIONS },
    { "time up with the last one", TIMED, 10, 50, 5, 20, 1e-3, STOP_TIME },
};

static const struct rule_case batch_cases[] = {
    { "first the minimum", PLAIN, 0, NAN, NAN, 0, 0, 4 },
    { "the rest of the minimum", PLAIN, 3, 100, 50, 3, 3e-4, 1 },
    { "minimum beyond the maximum", { 9, 5, 0.05, 0, 0, 0 }, 0, NAN, NAN, 0, 0, 5 },
    { "error by 20 % too large: 1.44 times as many", PLAIN, 10, 100, 6, 10, 1e-3, 5 },
    { "much too large: twice as many", PLAIN, 8, 100, 50, 8, 8e-4, 8 },
    { "not beyond the maximum", PLAIN, 15, 100, 50, 15, 1.5e-3, 5 },
    { "one to go", PLAIN, 19, 100, 50, 19, 1.9e-3, 1 },
    { "hardly too large: an eighth more", { 4, 99, 0.05, 0, 0, 0 }, 64, 1, 0.05, 64, 1, 8 },
    { "tick needs three times as many", { 4, 99, 0.05, 0, 0, 1e-6 }, 8, 1, 0.01, 8, 1.6e-5, 2 },
    { "tick needs all", COARSE, 8, 0.1, 0.001, 8, 8e-7, 8 },
    { "nothing measured by the clock", COARSE, 8, 0, 0, 8, 0, 8 },
    { "no number", PLAIN, 4, NAN, NAN, 4, 4e-4, 4 },
    { "negative mean", PLAIN, 4, -5, 1, 4, 4e-4, 4 },
    { "no error allowed", { 4, 20, 0, 0, 0, 1e-9 }, 6, 100, 1, 6, 6e-4, 6 },
    { "time: the minimum has no say", TIMED, 0, NAN, NAN, 0, 0, 1 },
    { "time: twice as many", TIMED, 2, 10, 1, 2, 2e-5, 2 },
    { "time: as many as fit", TIMED, 8, 100, 1, 8, 8e-4, 2 },
    { "time: a part of one", TIMED, 8, 120, 1, 8, 9.6e-4, 1 },
    { "time: not beyond the maximum", TIMED, 15, 1, 1, 15, 1.5e-5, 5 },
    { "time: nothing measured by the clock", TIMED, 4, 0, 0, 4, 0, 4 },
};

static struct stats stats_for(const struct rule_case *c)
{
    struct summary s = { c->count, c->mean_us, c->error_us };
    return (struct stats){ .cleaned = s, .all = s };
}

static void check_rule(const struct rule_case *c, int result)
{
    if (result != c->expected)
        fail_msg("%s: %d, expected %d", c->what, result, c->expected);
}

static void test_stop_rule(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(stop_cases) / sizeof(stop_cases[0]); i++) {
        const struct rule_case *c = &stop_cases[i];
        struct stats s = stats_for(c);
        struct effort effort = { c->n, c->sum_s, c->sum_s };
        check_rule(c, (int)stop_decide(&c->limits, &s, &effort));
    }
}

static void test_batches(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(batch_cases) / sizeof(batch_cases[0]); i++) {
        const struct rule_case *c = &batch_cases[i];
        struct stats s = stats_for(c);
        struct effort effort = { c->n, c->sum_s, c->sum_s };
        check_rule(c, batch_size(&c->limits, &s, &effort));
    }
}

/* Whatever the times: at least one more, and never more than are left. */
static void test_batch_bounds(void **state)
{
    static const double errors[] = { 0, 1e-12, 0.05, 1, 1e300, INFINITY, NAN };
    static const double sums[] = { 0, 1e-300, 1e-6, 1, 1e300, INFINITY };
    const struct limits limits[] = { PLAIN, TIMED, COARSE };
    (void)state;
    for (size_t k = 0; k < 7 * 6 * 3; k++)
        for (int n = 0; n < 20; n++) {
            struct summary sum = { n, 1, errors[k % 7] };
            struct stats s = { .cleaned = sum, .all = sum };
            double sum_s = sums[k / 7 % 6];
            int batch = batch_size(&limits[k / 42], &s, &(struct effort){ n, sum_s, sum_s });
            assert_in_range(batch, 1, 20 - n);
        }
}

/* Noise of 10 %: about (0.1 / 0.01)^2 = 100 repetitions, in few batches. */
static void test_rule_ends_a_series(void **state)
{
    const struct limits limits = { 4, 1000, 0.01, 0, 0, 1e-9 };
    double times[1000];
    struct stats s = stats_of(NULL, 0, 0);
    int n = 0, batches = 0;
    enum stop stop = STOP_NONE;
    (void)state;
    while (stop == STOP_NONE) {
        struct effort effort = { n, n * 1e-4, n * 1e-4 };
        for (int left = batch_size(&limits, &s, &effort); left > 0; left--, n++)
            times[n] = 100 + (n % 2 == 0 ? 10 : -10);
        s = stats_of(times, n, 0);
        stop = stop_decide(&limits, &s, &(struct effort){ n, n * 1e-4, n * 1e-4 });
        for (int i = 0; i < n; i++)
            times[i] = 100 + (i % 2 == 0 ? 10 : -10);
        batches++;
    }
    assert_int_equal(stop, STOP_ACCURACY);
    assert_in_range(n, 100, 113);
    assert_in_range(batches, 2, 8);
}

/* A coarse clock: all values after the cut are equal, but the measured ones are not. */
static void test_spread_after_the_cut(void **state)
{
    const struct limits limits = PLAIN;
    const struct effort effort = { 16, 1.6e-6, 1.6e-6 };
    struct stats s = { .cleaned = { 8, 0, 0 }, .all = { 16, 0.1, 0.05 } };
    (void)state;
    assert_int_equal(stop_decide(&limits, &s, &effort), STOP_NONE);
    s.cleaned.mean_us = 0.5;
    assert_int_equal(stop_decide(&limits, &s, &effort), STOP_NONE);
    s.cleaned.mean_us = 10;
    assert_int_equal(stop_decide(&limits, &s, &effort), STOP_ACCURACY);
    s.cleaned.count = 1;
    assert_int_equal(stop_decide(&limits, &s, &effort), STOP_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spread_after_the_cut),
        cmocka_unit_test(test_stop_names),
        cmocka_unit_test(test_means),
        cmocka_unit_test(test_all_keeps_the_outliers),
        cmocka_unit_test(test_times_are_sorted),
        cmocka_unit_test(test_percentiles),
        cmocka_unit_test(test_no_times),
        cmocka_unit_test(test_large_values_small_differences),
        cmocka_unit_test(test_quantile_of_whole_number),
        cmocka_unit_test(test_stop_rule),
        cmocka_unit_test(test_batches),
        cmocka_unit_test(test_batch_bounds),
        cmocka_unit_test(test_rule_ends_a_series),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
