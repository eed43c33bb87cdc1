#include "../test.h"

#include "stats/visit_length.h"

TEST(test_stop_names)
{
    static const char *const names[STOP_COUNT] = { "none", "accuracy",       "repetitions",
                                                   "time", "unsynchronised", "visits",
                                                   "clock" };
    for (int i = 0; i < STOP_COUNT; i++)
        assert_string_equal(stop_name((enum stop)i), names[i]);
}

/* The input of the stop rule: limits and repetitions so far. */
/* min, max, standard error, quantile, time, tick */
#define LIMITS(error, ...)                                                                         \
    {                                                                                              \
        __VA_ARGS__, error, 0.0, 0, 0.0, 0, false, false, false, 0, 0, 0.0, false                  \
    }
#define PAPER(...)      LIMITS(ERROR_PAPER, __VA_ARGS__)
#define WINSORISED(...) LIMITS(ERROR_WINSORISED, __VA_ARGS__)
#define PLAIN           PAPER(4, 20, 0.05, 0.25, 0, 1e-9)
#define TIMED           PAPER(4, 20, 0.05, 0.25, 1e-3, 1e-9)
#define COARSE          PAPER(4, 20, 0.05, 0.25, 0, 1e-6)
/* At least 60 repetitions, or 240 without a cut. */
#define CUT   WINSORISED(4, 1000, 0.05, 0.25, 0, 1e-9)
#define UNCUT WINSORISED(4, 1000, 0.05, 0, 0, 1e-9)

/* Two visits of at least 0.25 ms, or 20 repetitions. */
#define VISIT                                                                                      \
    {                                                                                              \
        4, 20, 0.05, 0.25, 0, 1e-9, ERROR_PAPER, 0.0, 2, 0.25e-3, 0, false, false, false, 0, 0,    \
            0.0, false                                                                             \
    }

static const struct rule_case {
    const char *what;
    struct limits limits;
    int count; /* cleaned */
    double mean_us, error_us;
    int n;
    double sum_s;
    int expected; /* enum stop, or a number of repetitions */
} stop_cases[] = {
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
    { "no error allowed", PAPER(4, 20, 0, 0, 0, 1e-9), 4, 100, 0, 4, 4e-4, STOP_NONE },
    { "time: accuracy has no say", TIMED, 4, 100, 0.1, 10, 0.99e-3, STOP_NONE },
    { "time: minimum has no say", TIMED, 1, 1000, 0, 1, 1e-3, STOP_TIME },
    { "time is up", TIMED, 10, 100, 50, 11, 1.1e-3, STOP_TIME },
    { "time: as many as allowed", TIMED, 10, 10, 5, 20, 0.2e-3, STOP_REPETITIONS },
    { "time up with the last one", TIMED, 10, 50, 5, 20, 1e-3, STOP_TIME },
    { "all equal, too few", CUT, 29, 100, 0, 59, 5.9e-3, STOP_NONE },
    { "all equal, enough", CUT, 30, 100, 0, 60, 6e-3, STOP_ACCURACY },
    { "without a cut, too few", UNCUT, 239, 100, 0, 239, 2.4e-2, STOP_NONE },
    { "without a cut, enough", UNCUT, 240, 100, 0, 240, 2.4e-2, STOP_ACCURACY },
    { "too few are allowed", WINSORISED(4, 59, 0.05, 0.25, 0, 1e-9), 30, 100, 0, 59, 5.9e-3,
      STOP_REPETITIONS },
    { "no error allowed, all equal", WINSORISED(4, 20, 0, 0.25, 0, 1e-9), 10, 100, 0, 20, 2e-3,
      STOP_REPETITIONS },
    { "a visit lasts", VISIT, 4, 50, 0.25, 5, 0.25e-3, STOP_ACCURACY },
    { "a visit is too short", VISIT, 4, 50, 0.25, 5, 0.24e-3, STOP_NONE },
    { "a short visit has all of its repetitions", VISIT, 9, 9, 0.1, 20, 0.2e-3, STOP_ACCURACY },
    { "time: no least number", WINSORISED(4, 20, 0.05, 0.25, 1e-3, 1e-9), 1, 1000, 0, 1, 1e-3,
      STOP_TIME },
};

static const struct rule_case batch_cases[] = {
    { "first the minimum", PLAIN, 0, NAN, NAN, 0, 0, 4 },
    { "the rest of the minimum", PLAIN, 3, 100, 50, 3, 3e-4, 1 },
    { "minimum beyond the maximum", PAPER(9, 5, 0.05, 0, 0, 0), 0, NAN, NAN, 0, 0, 5 },
    { "error by 20 % too large: 1.44 times as many", PLAIN, 10, 100, 6, 10, 1e-3, 5 },
    { "much too large: twice as many", PLAIN, 8, 100, 50, 8, 8e-4, 8 },
    { "not beyond the maximum", PLAIN, 15, 100, 50, 15, 1.5e-3, 5 },
    { "one to go", PLAIN, 19, 100, 50, 19, 1.9e-3, 1 },
    { "hardly too large: an eighth more", PAPER(4, 99, 0.05, 0, 0, 0), 64, 1, 0.05, 64, 1, 8 },
    { "tick needs three times as many", PAPER(4, 99, 0.05, 0, 0, 1e-6), 8, 1, 0.01, 8, 1.6e-5, 2 },
    { "tick needs all", COARSE, 8, 0.1, 0.001, 8, 8e-7, 8 },
    { "nothing measured by the clock", COARSE, 8, 0, 0, 8, 0, 8 },
    { "no number", PLAIN, 4, NAN, NAN, 4, 4e-4, 4 },
    { "negative mean", PLAIN, 4, -5, 1, 4, 4e-4, 4 },
    { "no error allowed", PAPER(4, 20, 0, 0, 0, 1e-9), 6, 100, 1, 6, 6e-4, 6 },
    { "time: the minimum has no say", TIMED, 0, NAN, NAN, 0, 0, 1 },
    { "time: twice as many", TIMED, 2, 10, 1, 2, 2e-5, 2 },
    { "time: as many as fit", TIMED, 8, 100, 1, 8, 8e-4, 2 },
    { "time: a part of one", TIMED, 8, 120, 1, 8, 9.6e-4, 1 },
    { "time: not beyond the maximum", TIMED, 15, 1, 1, 15, 1.5e-5, 5 },
    { "time: nothing measured by the clock", TIMED, 4, 0, 0, 4, 0, 4 },
    { "first the least number", CUT, 0, NAN, NAN, 0, 0, 60 },
    { "first the least number without a cut", UNCUT, 0, NAN, NAN, 0, 0, 240 },
    { "the rest of the least number", CUT, 29, 100, 50, 59, 5.9e-3, 1 },
    { "a larger minimum counts", WINSORISED(70, 99, 0.05, 0.25, 0, 1e-9), 0, NAN, NAN, 0, 0, 70 },
    { "the maximum counts", WINSORISED(4, 20, 0.05, 0.25, 0, 1e-9), 0, NAN, NAN, 0, 0, 20 },
    { "a visit that is too short", VISIT, 4, 30, 0.25, 6, 0.19e-3, 2 },
    { "much too short", VISIT, 4, 5, 0.25, 4, 0.02e-3, 4 },
    { "no more than are left", VISIT, 4, 5, 0.01, 13, 0.04e-3, 7 },
    { "no error allowed: the maximum", WINSORISED(4, 20, 0, 0.25, 0, 1e-9), 0, NAN, NAN, 0, 0, 20 },
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

TEST(test_stop_rule)
{
    EACH(c, stop_cases) {
        struct stats s = stats_for(c);
        struct effort effort = { c->n, c->sum_s, c->sum_s };
        check_rule(c, (int)stop_decide(&c->limits, &s, &effort));
    }
}

TEST(test_batches)
{
    EACH(c, batch_cases) {
        struct stats s = stats_for(c);
        struct effort effort = { c->n, c->sum_s, c->sum_s };
        check_rule(c, batch_size(&c->limits, &s, &effort));
    }
}

/* Whatever the times: at least one more, and never more than are left. */
TEST(test_batch_bounds)
{
    static const double errors[] = { 0, 1e-12, 0.05, 1, 1e300, INFINITY, NAN };
    static const double sums[] = { 0, 1e-300, 1e-6, 1, 1e300, INFINITY };
    const struct limits limits[] = { PLAIN, TIMED, COARSE };
    for (size_t k = 0; k < 7 * 6 * 3; k++)
        for (int n = 0; n < 20; n++) {
            struct summary sum = { n, 1, errors[k % 7] };
            struct stats s = { .cleaned = sum, .all = sum };
            double sum_s = sums[k / 7 % 6];
            int batch = batch_size(&limits[k / 42], &s, &(struct effort){ n, sum_s, sum_s });
            assert_in_range(batch, 1, 20 - n);
        }
}

/* Each of five visits makes a fifth of 60 repetitions, with an error larger by the root of five;
 * its few repetitions show as much of the variance's error as a fifth must. */
TEST(test_visits_share)
{
    static const struct {
        int n;
        double error, variance_error;
        enum stop stop;
        int batch;
    } cases[] = {
        { 11, 0.01, 0, STOP_NONE, 1 },     { 12, 0.01, 0, STOP_ACCURACY, 1 },
        { 12, 0.11, 0, STOP_ACCURACY, 1 }, { 12, 0.112, 0, STOP_NONE, 1 },
        { 12, 0.16, 0, STOP_NONE, 12 },    { 12, 0.11, 0.66, STOP_ACCURACY, 1 },
        { 12, 0.11, 0.68, STOP_NONE, 1 },
    };
    struct limits l = CUT;
    l.visits = 5;
    assert_int_equal(limits_least(&l), 60);
    assert_int_equal(batch_size(&l, &(struct stats){ 0 }, &(struct effort){ 0, 0, 0 }), 12);
    EACH(c, cases) {
        struct summary sum = { c->n, 1, c->error };
        struct stats s = { .cleaned = sum, .all = sum, .variance_error = c->variance_error };
        struct effort effort = { c->n, 1, 1 };
        assert_int_equal(stop_decide(&l, &s, &effort), c->stop);
        assert_int_equal(batch_size(&l, &s, &effort), c->batch);
    }
}

/* A coarse clock: all values after the cut are equal, but the measured ones are not. */
TEST(test_spread_after_the_cut)
{
    const struct limits limits = PLAIN;
    const struct effort effort = { 16, 1.6e-6, 1.6e-6 };
    struct stats s = { .cleaned = { 8, 0, 0 }, .all = { 16, 0.1, 0.05 } };
    assert_int_equal(stop_decide(&limits, &s, &effort), STOP_NONE);
    s.cleaned.mean_us = 0.5;
    assert_int_equal(stop_decide(&limits, &s, &effort), STOP_NONE);
    s.cleaned.mean_us = 10;
    assert_int_equal(stop_decide(&limits, &s, &effort), STOP_ACCURACY);
    s.cleaned.count = 1;
    assert_int_equal(stop_decide(&limits, &s, &effort), STOP_NONE);
}

/* Values with an error that is small enough, but known badly, need more repetitions. */
TEST(test_error_of_the_variance)
{
    const struct limits uncut = UNCUT;
    const struct effort effort = { 400, 0.04, 0.04 };
    struct stats s = { .cleaned = { 400, 100, 0.25 }, .all = { 400, 100, 0.25 } };
    s.variance_error = 0.31;
    assert_int_equal(stop_decide(&uncut, &s, &effort), STOP_NONE);
    assert_int_equal(batch_size(&uncut, &s, &effort), 50);
    s.variance_error = 0.4;
    assert_int_equal(batch_size(&uncut, &s, &effort), 312); /* 400 * (4/3)^2 = 711.1 in all */
    s.variance_error = 0.3;
    assert_int_equal(stop_decide(&uncut, &s, &effort), STOP_ACCURACY);
    s.variance_error = 1;
    s.cleaned.error_us = s.all.error_us = 0.1; /* a fiftieth of what is asked for */
    assert_int_equal(stop_decide(&uncut, &s, &effort), STOP_ACCURACY);
}
