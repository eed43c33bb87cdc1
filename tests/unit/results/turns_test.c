#include "../test.h"

#include "results/turns.h"

static const struct turns_rule RULE = { { 0.0, ERROR_PAPER, 0.0 }, .tick_us = 3.0, .cost_us = 1.0 };

/* The same repetition often, so that only the tick is an error. */
static void init(struct turns *t, const double us[TURNS], bool works)
{
    for (int i = 0; i < KEPT; i++)
        assert_int_equal(values_init(&t->of[i], FEWEST_REPETITIONS, NO_ERR), 0);
    for (int i = 0; i < FEWEST_REPETITIONS; i++)
        turns_add(t, us, works, &RULE);
}

static void release(struct turns *t)
{
    for (int i = 0; i < KEPT; i++)
        values_release(&t->of[i]);
}

/* p, w with a reading of the clock, and t; NaN: unknown. */
static const struct {
    double us[TURNS];
    bool works;
    double hidden, overlap, availability, as_osu, as_imb;
} cases[] = {
    { { 100, 51, 110 }, true, 40, 80, 40, 30, 39 },
    { { 50, 101, 110 }, true, 40, 80, 80, 60, 39 },
    { { 100, 101, 200 }, true, 0, 0, 0, 0, 0 },
    { { 100, 101, 50 }, true, 150, 150, 150, 140, 100 },
    { { 100, 80, 100 }, false, 0, NAN, 0, 0, 0 },
};

static void assert_equal(double value, double expected)
{
    if (isnan(expected))
        assert_true(isnan(value));
    else
        assert_true(fabs(value - expected) < 1e-6);
}

TEST(test_what_is_hidden)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct turns t;
        struct extra_value x[MAX_EXTRA];
        init(&t, cases[i].us, cases[i].works);
        turns_conclude(&t, cases[i].works, &RULE, x);
        assert_equal(x[HIDDEN].value, cases[i].hidden);
        assert_equal(x[OVERLAP].value, cases[i].overlap);
        assert_equal(x[AVAILABILITY].value, cases[i].availability);
        assert_equal(turns_as_osu(&t, 2, &RULE).value, cases[i].as_osu);
        assert_equal(turns_as_imb(&t, &RULE).value, cases[i].as_imb);
        release(&t);
    }
}

TEST(test_a_share_is_no_more_exact_than_the_clock)
{
    struct turns t;
    struct extra_value x[MAX_EXTRA];
    init(&t, (const double[]){ 100, 101, 160 }, true);
    turns_conclude(&t, true, &RULE, x);
    assert_equal(x[AVAILABILITY].error, 3.0);
    release(&t);
}
