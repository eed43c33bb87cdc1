#include "../test.h"

#include "stats/stats.h"

enum { MAX_TIMES = 12 };

static void check_near(const char *what, double is, double expected)
{
    double bound = 1e-12 * fmax(1, fabs(expected));
    if (isnan(is) != isnan(expected) || fabs(is - expected) > bound)
        fail_msg("%s: %.17g, expected %.17g", what, is, expected);
}

/* Means of all values: 25.75, 4, 2.5, 4. */
static const struct outlier_case {
    double times[MAX_TIMES];
    int n;
    double quantile, multiple;
    int outliers, count;
    double mean, error;
} outlier_cases[] = {
    { { 1, 2, 1000e-1, 0 }, 4, 0, 2, 1, 3, 1, NAN },
    { { 9, 5, 1, 2, 3 }, 5, 0, 2.3, 0, 5, 4, 1.4142135623730951 },
    { { 9, 5, 1, 2, 3 }, 5, 0, 2.2, 1, 4, 2.75, 0.85391256382996653 },
    { { 9, 5, 1, 2, 3 }, 5, 0.25, 2.2, 1, 2, 2.5, 0.57735026918962576 },
    { { 9, 5, 1, 2, 3 }, 5, 0, 1.01, 2, 3, 2, NAN },
    { { 3, 3, 3 }, 3, 0, 1.5, 0, 3, 3, NAN },
    { { 7 }, 1, 0, 1.5, 0, 1, 7, NAN },
};

TEST(test_outliers)
{
    for (size_t i = 0; i < COUNT(outlier_cases); i++) {
        struct outlier_case c = outlier_cases[i];
        struct stats s = stats_of(c.times, c.n, (struct summing){ c.quantile, 0, c.multiple });
        assert_int_equal(s.outliers, c.outliers);
        assert_int_equal(s.cleaned.count, c.count);
        assert_int_equal(s.all.count, c.n);
        check_near("mean", s.cleaned.mean_us, c.mean);
        check_near("error", s.cleaned.error_us, c.error);
        check_near("longest", s.max_us, c.times[c.n - 1]);
    }
}

static const struct mean_case {
    double times[MAX_TIMES];
    int n;
    double quantile;
    int count; /* cleaned */
    double mean, error;
    double paper_error;
} mean_cases[] = {
    { { 7 }, 1, 0.25, 1, 7, NAN, NAN },
    { { 3, 1, 2 }, 3, 0, 3, 2, NAN, NAN },
    { { 4, 2, 1, 3 }, 4, 0, 4, 2.5, 0.6454972243679028, 0.55901699437494742 },
    /* 2 2 4 4: sigma of n - 1 is sqrt(4/3), half of the values and sqrt(4) cancel out */
    { { 4, 1000, 1, 2 }, 4, 0.25, 2, 3, 1.1547005383792515, 0.70710678118654752 },
    { { 9, 5, 1, 2, 3 }, 5, 0.25, 3, 10 / 3.0, 1.1303883305208782, 0.72008229982309513 },
    { { 9, 5, 1, 2, 3 }, 5, 0.19, 5, 4, 1.4142135623730951, 1.2649110640673518 }, /* no cut */
    { { 0, 1, 2, 3, 4, 5, 6, 7, 8, 99 }, 10, 0.3, 4, 4.5, 1.1334558757279536, 0.55901699437494742 },
    { { 5, 6, 1, 9, 0 }, 5, 0.4999, 1, 5, 1.6552945357246849, 0 }, /* never cuts all */
    { { 5, 6 }, 2, 0.4999999999, 2, 5.5, NAN, NAN },
    { { 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1 }, 7, 0, 7, 0.1, 0, 0 },
    { { -3, -1, -3, -1 }, 4, 0, 4, -2, 0.57735026918962576, 0.5 },
};

static struct stats stats_by(const struct mean_case *c, enum error_rule rule)
{
    double times[MAX_TIMES];
    memcpy(times, c->times, sizeof(times));
    return stats_of(times, c->n, (struct summing){ c->quantile, rule, 0 });
}

TEST(test_means)
{
    EACH(c, mean_cases) {
        struct stats s = stats_by(c, ERROR_WINSORISED);
        assert_int_equal(s.cleaned.count, c->count);
        assert_int_equal(s.all.count, c->n);
        check_near("mean", s.cleaned.mean_us, c->mean);
        check_near("error", s.cleaned.error_us, c->error);
    }
}

TEST(test_paper_errors)
{
    EACH(c, mean_cases) {
        struct stats s = stats_by(c, ERROR_PAPER);
        check_near("mean", s.cleaned.mean_us, c->mean);
        check_near("error", s.cleaned.error_us, c->paper_error);
    }
}

/* For n values, one or two of which differ; and if the cut removes them. */
TEST(test_variance_error)
{
    static const struct {
        double times[MAX_TIMES];
        double quantile;
        double expected;
    } rows[] = {
        { { 1, 1, 1, 1, 1, 1, 1, 1, 1, 2 }, 0, 0.8432740427115677 },
        { { 1, 1, 1, 1, 1, 1, 1, 1, 2, 2 }, 0, 0.47434164902525694 },
        { { 1, 1, 1, 1, 1, 1, 1, 1, 1, 2 }, 0.1, 0 },
        { { 5, 5, 5, 5, 5, 5, 5, 5, 5, 5 }, 0, 0 },
        { { 0, 1, 2, 3, 4, 5, 6, 7, 8, 99 }, 0.3, 0.1367471420613353 },
    };
    EACH(c, rows) {
        double times[MAX_TIMES];
        memcpy(times, c->times, sizeof(times));
        struct stats s = stats_of(times, 10, (struct summing){ .cut_quantile = c->quantile });
        check_near("error of the variance", s.variance_error, c->expected);
    }
}

TEST(test_all_keeps_the_outliers)
{
    double times[] = { 4, 1000, 1, 3 };
    struct stats s = stats_of(times, 4, (struct summing){ .cut_quantile = 0.25 });
    check_near("cleaned", s.cleaned.mean_us, 3.5);
    check_near("all", s.all.mean_us, 252);
    assert_true(s.all.error_us > 100);
}

TEST(test_times_are_sorted)
{
    double times[] = { 3, 1, 2 };
    stats_of(times, 3, (struct summing){ .cut_quantile = 0 });
    for (int i = 0; i < 3; i++)
        check_near("time", times[i], i + 1);
}

static const struct percentile_case {
    double times[MAX_TIMES];
    int n;
    double min, p25, median, p75, max;
} percentile_cases[] = {
    { { 7 }, 1, 7, 7, 7, 7, 7 },
    { { 2, 1 }, 2, 1, 1, 1.5, 2, 2 },
    { { 1, 2, 3 }, 3, 1, 1, 2, 3, 3 },
    { { 40, 10, 30, 20 }, 4, 10, 15, 25, 35, 40 },
    { { 1, 2, 3, 4, 100 }, 5, 1, 2, 3, 4, 100 },
};

TEST(test_percentiles)
{
    EACH(c, percentile_cases) {
        double times[MAX_TIMES];
        memcpy(times, c->times, sizeof(times));
        struct stats s = stats_of(times, c->n, (struct summing){ .cut_quantile = 0.25 });
        check_near("min", s.min_us, c->min);
        check_near("p25", s.p25_us, c->p25);
        check_near("median", s.median_us, c->median);
        check_near("p75", s.p75_us, c->p75);
        check_near("max", s.max_us, c->max);
    }
}

TEST(test_no_times)
{
    struct stats s = stats_of(NULL, 0, (struct summing){ .cut_quantile = 0.25 });
    assert_int_equal(s.cleaned.count, 0);
    assert_int_equal(s.all.count, 0);
    const double times[] = { s.cleaned.mean_us, s.cleaned.error_us, s.all.mean_us,
                             s.all.error_us,    s.min_us,           s.p25_us,
                             s.median_us,       s.p75_us,           s.max_us };
    for (size_t i = 0; i < COUNT(times); i++)
        assert_true(isnan(times[i]));
}

/* Small differences between large values, as from a clock that has run for a long time. */
TEST(test_large_values_small_differences)
{
    double times[] = { 1e9 + 1, 1e9 + 3, 1e9 + 1, 1e9 + 3 };
    struct stats s = stats_of(times, 4, (struct summing){ .cut_quantile = 0 });
    check_near("mean", s.all.mean_us, 1e9 + 2);
    check_near("error", s.all.error_us, 0.57735026918962576);
}

/* 0.29 * 100 is a little less than 29 in binary. */
TEST(test_quantile_of_whole_number)
{
    double times[100];
    for (int i = 0; i < 100; i++)
        times[i] = i;
    assert_int_equal(stats_of(times, 100, (struct summing){ .cut_quantile = 0.29 }).cleaned.count,
                     42);
}

/* Few values show no error, or none of a row; one of 0 is accurate. */
TEST(accuracy)
{
    static const struct {
        const char *what;
        double values[12];
        int n;
        bool few, accurate;
    } rows[] = {
        { "exact", { 99, 100, 101, 100, 100 }, 5, false, true },
        { "four", { 99, 100, 101, 100 }, 4, true, true },
        { "three", { 99, 100, 101 }, 3, true, false },
        { "one", { 100 }, 1, true, false },
        { "none", { 0 }, 0, true, false },
        { "inexact", { 50, 100, 150, 200, 10 }, 5, false, false },
        { "ten equal", { 7, 7, 7, 7, 7, 7, 7, 7, 7, 7 }, 10, false, true },
        { "below zero", { -5, -6, -5, -6 }, 4, true, false },
    };
    EACH(c, rows) {
        double values[12];
        memcpy(values, c->values, sizeof(values));
        struct stats s = stats_of(values, c->n, (struct summing){ 0, ERROR_WINSORISED, 0 });
        if (stats_are_few(&s) != c->few || isnan(s.cleaned.error_us) != (c->n < FEWEST_REPETITIONS))
            fail_msg("%s: few or not", c->what);
        if (stats_are_accurate(&s, 0.1) != c->accurate)
            fail_msg("%s: accurate or not", c->what);
    }
}

TEST(most_frequent)
{
    static const struct {
        int count;
        double values[6], expected;
    } rows[] = {
        { 0, { 0 }, NAN },     { 1, { NAN }, NAN },      { 1, { 3 }, 3 },
        { 3, { 3, 1, 3 }, 3 }, { 4, { 3, 1, 3, 1 }, 1 }, { 6, { NAN, 2, NAN, NAN, 1, 2 }, 2 },
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        double values[6];
        for (size_t k = 0; k < 6; k++)
            values[k] = rows[i].values[k];
        double found = stats_most_frequent(values, rows[i].count);
        if (isnan(rows[i].expected) ? !isnan(found) : found != rows[i].expected)
            fail_msg("case %zu: %g", i, found);
    }
}
