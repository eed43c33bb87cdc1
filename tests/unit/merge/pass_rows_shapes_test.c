/* Properties that visits show together: dependence, steps, modes. */
#include "../test.h"

#include "merge/pass_rows.h"
#include "model/suite.h"

#include "../random.h"

enum { VISITS = 5, SETS = 2000 };

/* Rows of that many repetitions each, whose means have an error around those of a line. */
static double unsteady_share_of(int n, const double *means_us, size_t visits, double error_us)
{
    int unsteady = 0;
    for (int set = 0; set < SETS; set++) {
        uint64_t random = 0x4321u * (uint64_t)(set + 1);
        struct row rows[VISITS];
        struct row *list[VISITS];
        for (int i = 0; i < VISITS; i++) {
            double us = 100 + means_us[i] + error_us * generated_normal(&random);
            rows[i] = (struct row){ .stats = { .cleaned = { n / 2, us, error_us },
                                               .all = { n, us, error_us } } };
            list[i] = &rows[i];
        }
        unsteady +=
            shapes_combine(list, visits, 100 + means_us[0], ERROR_WINSORISED, 1e-8).unsteady;
    }
    return (double)unsteady / SETS;
}

static double unsteady_share(const double *means_us, size_t visits, double error_us)
{
    return unsteady_share_of(20, means_us, visits, error_us);
}

TEST(test_steps)
{
    static const struct {
        double means_us[VISITS], error_us, least, most;
    } rows[] = {
        { { 0, 0, 0, 0, 0 }, 1, 0, 0.02 },    { { 0, 0, 0, 0, 0 }, 0, 0, 0 },
        { { 0, 0, 5, 5, 5 }, 1, 0.95, 1 },    { { 0, 2, 4, 6, 8 }, 1, 0.95, 1 },
        { { 0, 0, 0, 0, 7 }, 1, 0.95, 1 },    { { 0, 0, 1e-5, 0, 0 }, 0, 0, 0 },
        { { 0, 0, 0, 1e-3, 1e-3 }, 0, 1, 1 }, { { 0, 0, 5, 5, 5 }, NAN, 0, 0 },
        { { NAN, 0, 5, 5, 5 }, 1, 0, 0 },     { { 0, 20, 40, 60, 80 }, 1, 1, 1 },
        { { 0, 0, 50, 0, 0 }, 1, 0, 0 },      { { 0, 40, 10, 50, 20 }, 1, 0, 0 },
        { { 50, 0, 0, 50, 0 }, 1, 0, 0 },     { { 50, 51, 45, 0, -4 }, 1, 1, 1 },
        { { 0, 0, 0, 0, 50 }, 1, 0, 0.05 },   { { 50, 0, 0, 0, 0 }, 1, 0, 0.05 },
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        double share = unsteady_share(rows[i].means_us, VISITS, rows[i].error_us);
        if (share < rows[i].least || share > rows[i].most)
            fail_msg("row %zu: %.3f unsteady", i, share);
    }
}

/* No visit has enough of its own to show. */
TEST(test_dependence_of_all_visits)
{
    struct row rows[VISITS];
    struct row *list[VISITS];
    for (int i = 0; i < VISITS; i++) {
        rows[i] = (struct row){ .stats = { .cleaned = { 10, 100, 5 }, .all = { 20, 100, 5 } },
                                .shape = { .lags = { 4.5 } } };
        assert_false(lags_are_large(rows[i].shape.lags, 20));
        list[i] = &rows[i];
    }
    assert_false(shapes_combine(list, 1, 100, ERROR_WINSORISED, 0.03).unsteady);
    assert_true(shapes_combine(list, VISITS, 100, ERROR_WINSORISED, 0.03).unsteady);
    /* With dependence, the error of a visit is 8 %: below what was asked. */
    assert_false(shapes_combine(list, VISITS, 100, ERROR_WINSORISED, 0.09).unsteady);
}

/* Clear, but smaller than what was asked. */
TEST(test_small_steps)
{
    struct row rows[4];
    struct row *list[4];
    for (int i = 0; i < 4; i++) {
        double us = i < 2 ? 99 : 101;
        rows[i] = (struct row){ .stats = { .cleaned = { 10, us, 0.1 }, .all = { 20, us, 0.1 } } };
        list[i] = &rows[i];
    }
    assert_true(shapes_combine(list, 4, 100, ERROR_WINSORISED, 0.019).unsteady);
    assert_false(shapes_combine(list, 4, 100, ERROR_PAPER, 0.019).unsteady);
    assert_false(shapes_combine(list, 4, 100, ERROR_WINSORISED, 0.021).unsteady);
}

/* A visit is like one of its repetitions, 10 us apart; or like none of them. */
TEST(test_visits_that_differ_as_repetitions)
{
    static const double means_us[VISITS] = { 0, 10, -10, 10, 0 };
    assert_true(unsteady_share(means_us, VISITS, 2) > 0.95);
    assert_true(unsteady_share(means_us, VISITS, 0.5) == 0);
    assert_true(unsteady_share(means_us, 3, 2) == 0); /* the error between three is large enough */
    /* Long visits differ, also if as much as their repetitions, as their places do. */
    assert_true(unsteady_share_of(2500, means_us, VISITS, 1) < 0.05);
    assert_true(unsteady_share_of(2500, means_us, VISITS, 0.2) < 0.05);
}

/* Two modes are those of the repetitions of all visits, if at least half of the visits have both.
 */
TEST(test_modes)
{
    static const struct {
        int low[3]; /* of the 20 repetitions of each visit */
        struct modes expected;
    } rows[] = {
        { { 14, 10, 12 }, { 5, 7, 33, 21 } },
        { { 14, 20, 12 }, { 5, 7, 43, 11 } },
        { { 20, 0, 20 }, { 0, 0, 0, 0 } },
        { { 20, 20, 10 }, { 0, 0, 0, 0 } },
    };
    static const struct pattern_info pattern = { .prefix = "p2p" };
    static const struct type_info type = { .name = "a", .pattern = &pattern };
    const struct suite s = { .type = &type };
    EACH(c, rows) {
        LOCAL(block) b = { .suite = &s };
        LOCAL(pass_rows) all;
        struct row row;
        for (int visit = 0; visit < 3; visit++) {
            double us[20];
            for (int k = 0; k < 20; k++)
                us[k] = k < c->low[visit] ? 5 : 7;
            row = (struct row){ .stats.all = { 20, 5, 1 }, .kept_us = us, .kept = 20 };
            block_append(&b, &row);
        }
        pass_rows_init(&all, &b);
        assert_non_null(pass_rows_next(&all, &row));
        struct modes m = row.shape.modes;
        assert_float_equal(m.low_us, c->expected.low_us, 1e-9);
        assert_float_equal(m.high_us, c->expected.high_us, 1e-9);
        assert_int_equal(m.low, c->expected.low);
        assert_int_equal(m.high, c->expected.high);
    }
}
