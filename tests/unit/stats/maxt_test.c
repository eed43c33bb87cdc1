#include "../test.h"

#include "stats/maxt.h"

enum { LAUNCHES = 6, POINTS = 2, MANY = 20 };

/* All relabelings: of three launches of each side, 20; of the signs of six pairs, 64. */
/* The largest |T| of the relabelings without the difference that is found; p and T of the
 * observed labels. s of both points of the first case is 0.1 * sqrt(2 / 3), so T = 1 / (2 * s) and
 * 0; of the second point with a missing value it is sqrt(0.04 / 3 * (1 / 2 + 1 / 3)). */
static const struct small_case {
    const char *what;
    size_t base;
    double values[LAUNCHES][POINTS];
    double p[POINTS], critical; /* at 10 % for sides, 5 % for pairs */
    double t[POINTS];
} cases[] = {
    { "one point is slower",
      3,
      { { 0.0, 5.0 }, { 0.1, 5.1 }, { 0.2, 5.2 }, { 1.0, 5.0 }, { 1.1, 5.1 }, { 1.2, 5.2 } },
      { 0.1, 1.0 },
      1.414213562,
      { 6.123724357, 0 } },
    { "a launch lacks a point",
      3,
      { { 0.0, 5.0 }, { 0.1, NAN }, { 0.2, 5.2 }, { 1.0, 5.0 }, { 1.1, 5.1 }, { 1.2, 5.2 } },
      { 0.1, 1.0 },
      1.891361372,
      { 5.708443, 0 } },
    { "nothing differs",
      3,
      { { 1, 2 }, { 1, 2 }, { 1, 2 }, { 1, 2 }, { 1, 2 }, { 1, 2 } },
      { 1.0, 1.0 },
      0,
      { 0, 0 } },
    { "pairs",
      0,
      { { .5, .1 }, { .6, -.1 }, { .4, .1 }, { .5, -.1 }, { .6, .1 }, { .4, -.1 } },
      { 0.03125, 1.0 },
      5.477225575,
      { 6.482315195, 0 } },
    { "pairs, two launches lack one",
      0,
      { { .5, .1 }, { .6, -.1 }, { .4, NAN }, { .5, -.1 }, { NAN, .1 }, { .4, -.1 } },
      { 0.0625, 0.8125 },
      6.305430249,
      { 5.953875459, -0.216936259 } },
};

static void check_near(const char *what, double is, double expected)
{
    if (is != expected && !(fabs(is - expected) <= 1e-6 * fmax(1, fabs(expected))))
        fail_msg("%s: %.9g, expected %.9g", what, is, expected);
}

TEST(test_small_cases)
{
    EACH(c, cases) {
        bool pairs = c->base == 0;
        const struct maxt_plan plan = { c->base, LAUNCHES - c->base, POINTS, 1000,
                                        1,       pairs ? 0.05 : 0.1 };
        double values[LAUNCHES * POINTS];
        for (size_t k = 0; k < LAUNCHES * POINTS; k++)
            values[k] = c->values[k / POINTS][k % POINTS];
        LOCAL(maxt) m;
        maxt_test(&m, &plan, values);
        assert_true(m.exact);
        assert_int_equal(m.relabelings, pairs ? 64 : 20);
        check_near(c->what, m.critical, c->critical);
        for (size_t k = 0; k < POINTS; k++) {
            check_near(c->what, m.t[k], c->t[k]);
            check_near(c->what, m.p[k], c->p[k]);
            check_near(c->what, m.t[k] * m.scale[k], m.difference[k]);
        }
    }
}

/* 10 of 20 launches can be labelled in 184,756 ways. Only the observed one and its mirror image
 * have the largest |T|, so of random ones usually the first alone. */
TEST(test_random_relabelings)
{
    const struct maxt_plan plan = { MANY / 2, MANY / 2, 1, 500, 1, 0.05 };
    double values[MANY];
    for (int i = 0; i < MANY; i++)
        values[i] = (i < MANY / 2 ? 0 : 10) + 0.01 * (i * 7 % 10);
    LOCAL(maxt) m;
    maxt_test(&m, &plan, values);
    assert_false(m.exact);
    assert_int_equal(m.relabelings, 500);
    check_near("p", m.p[0], 1.0 / 500);
    assert_true(m.critical < m.t[0]);
}
