#include "../test.h"

#include "clock/clock.h"

static const double EXACT_S =
    2e-12; /* readings of about 1000 s resolve 0.1 ps, sums a little less */

static void is_near(double value, double wanted, double within)
{
    if (!(fabs(value - wanted) <= within))
        fail_msg("%.15g is not %.15g within %g", value, wanted, within);
}

/* Sightings of a clock with this offset at 1000 s and this drift, some of them wrong. */
static const struct fit_row {
    double offset_s, drift;
    double span_s;
    double wrong_s[6]; /* its error is ten times as large if this is not 0 */
    int n;
    double known_drift;
    double wanted_drift, within;
} fits[] = {
    { 1000.0, 0.0, 0.0, { 0 }, 1, 0.0, 0.0, 0.0 },
    { 1000.0, 1e-4, 0.0, { 0 }, 1, 2e-5, 2e-5, 0.0 }, /* one shows no drift */
    { 5.0, 1e-4, 0.06, { 0 }, 2, 2e-5, 2e-5, 0.0 },   /* nor do two; one may be wrong */
    { -1000.0, 1e-4, 0.06, { 0 }, 6, 0.0, 1e-4, 1e-10 },
    { 3.0, -1e-5, 60.0, { 0 }, 4, 0.0, -1e-5, 1e-12 },
    /* nor do several at the same time */
    { 5.0, 1e-4, 0.0, { 0 }, 3, 2e-5, 2e-5, 0.0 },
    /* a drift that is not significant is 0, whatever was known before */
    { 0.0, 0.0, 0.06, { 1e-9, -2e-9, 1e-9, 2e-9, -1e-9, 1e-9 }, 6, 0.0, 0.0, 0.0 },
    /* an uncertain sighting has little weight */
    { 0.0, 1e-4, 0.06, { 0, 0, 0, 1e-7, 0, 0 }, 6, 0.0, 1e-4, 1e-7 },
};

TEST(test_fit)
{
    for (size_t row = 0; row < COUNT(fits); row++) {
        const struct fit_row *r = &fits[row];
        struct sighting s[6];
        for (int i = 0; i < r->n; i++) {
            double passed_s = r->n > 1 ? r->span_s * i / (r->n - 1) : 0.0;
            s[i].at_s = 1000.0 + passed_s;
            s[i].offset_s = r->offset_s + r->drift * passed_s + r->wrong_s[i];
            s[i].error_s = r->wrong_s[i] != 0.0 ? 1e-7 : 1e-8;
        }
        struct line l = line_fit(s, r->n, r->known_drift);
        is_near(l.drift, r->wanted_drift, r->within);
        if (r->wanted_drift == r->drift)
            is_near(line_offset(&l, 1000.0), r->offset_s, 5e-9);
    }
}

TEST(test_drift_error)
{
    struct sighting s[] = {
        { 0.0, 1e-9, 1e-8 }, { 1.0, -1e-9, 1e-8 }, { 2.0, -1e-9, 1e-8 }, { 3.0, 1e-9, 1e-8 }
    };
    assert_true(isinf(line_drift_error(s, 2)));
    /* residual variance 4e-18 / 2, sum of squared times 5 */
    is_near(line_drift_error(s, 4), sqrt(4e-18 / 2 / 5), 1e-15);
}

/* The drift is significant above four of its standard errors. */
TEST(test_significant_drift)
{
    static const int turn[] = { 1, -1, -1, 1 }; /* it has no slope of its own */
    for (int errors = 3; errors <= 5; errors += 2) {
        struct sighting s[4];
        double drift = errors * sqrt(4e-18 / 2 / 5);
        for (int i = 0; i < 4; i++)
            s[i] = (struct sighting){ i, drift * i + turn[i] * 1e-9, 1e-8 };
        is_near(line_fit(s, 4, 1.0).drift, errors > 4 ? drift : 0.0, 1e-15);
    }
}

TEST(test_map)
{
    struct line l = { .at_s = 10.0, .offset_s = 5.0, .drift = 0.5 };
    is_near(line_map(&l, 10.0), 15.0, EXACT_S);
    is_near(line_map(&l, 12.0), 18.0, EXACT_S);
    is_near(line_offset(&l, 12.0), 6.0, EXACT_S);
}

TEST(test_inverse)
{
    const struct line lines[] = { { .at_s = 10.0, .offset_s = 5.0, .drift = 0.5 },
                                  { .at_s = 1e3, .offset_s = -1e3, .drift = 1e-4 },
                                  { .at_s = 0.0, .offset_s = 0.0, .drift = -1e-5 } };
    for (size_t i = 0; i < COUNT(lines); i++) {
        struct line back = line_inverse(&lines[i]);
        for (double t = 900.0; t < 1000.0; t += 33.0)
            is_near(line_map(&back, line_map(&lines[i], t)), t, EXACT_S);
    }
}

TEST(test_compose)
{
    struct line first = { .at_s = 10.0, .offset_s = 5.0, .drift = 0.5, .error_s = 0.5 };
    struct line then = { .at_s = -3.0, .offset_s = 100.0, .drift = -0.25, .error_s = 0.25 };
    struct line both = line_compose(&first, &then);
    for (double t = -20.0; t < 20.0; t += 7.0)
        is_near(line_map(&both, t), line_map(&then, line_map(&first, t)), EXACT_S);
    is_near(both.error_s, 0.75, 0.0);
}

TEST(test_best)
{
    struct sighting s[] = { { 1.0, 9.0, 5.0 },
                            { 2.0, 4.0, 1.0 },
                            { 3.0, -7.0, 8.0 },
                            { 4.0, 2.0, 1.0 },
                            { 5.0, 50.0, 9.0 } };
    struct sighting best = sighting_best(s, 5, 0.0); /* the two with error 1 */
    is_near(best.at_s, 3.0, EXACT_S);
    is_near(best.offset_s, 3.0, EXACT_S);
    is_near(best.error_s, 1.0, EXACT_S);
    best = sighting_best(s, 1, 0.0);
    is_near(best.error_s, 1.0, EXACT_S);
}

/* A quarter of eight is two; with twice the error, a sighting has a quarter of the weight. */
TEST(test_best_weights_by_error)
{
    struct sighting s[] = { { 0.0, 5.0, 2e-3 },  { 0.0, 10.0, 1e-3 }, { 0.0, 99.0, 3e-3 },
                            { 0.0, 99.0, 3e-3 }, { 0.0, 99.0, 3e-3 }, { 0.0, 99.0, 3e-3 },
                            { 0.0, 99.0, 3e-3 }, { 0.0, 99.0, 3e-3 } };
    is_near(sighting_best(s, 8, 0.0).offset_s, 9.0, 1e-9);
    is_near(sighting_best(s, 8, 0.0).error_s, 1.2e-3, 1e-12);
}

/* Errors that differ by less than the clocks' grain have similar weight. */
TEST(test_best_of_coarse_clocks)
{
    struct sighting s[] = {
        { 0.0, 1.0, 2e-6 }, { 0.0, 2.0, 2.9e-6 }, { 0.0, 3.0, 2e-6 }, { 0.0, 9.0, 3.1e-6 }
    };
    double even = (1.0 / 4 + 2.0 / (2.9 * 2.9) + 3.0 / 4) / (1.0 / 4 + 1 / (2.9 * 2.9) + 1.0 / 4);
    is_near(sighting_best(s, 4, 1e-6).offset_s, even, 1e-6);
}
