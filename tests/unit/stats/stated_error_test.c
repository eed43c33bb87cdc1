/* The errors that rows state, against series whose true mean is known. */

#include "../test.h"
#include "../generated.h"

#include "stats/visit_length.h"

enum { SEEDS = 300 };

static void fail_case(const struct generated_case *c, const struct generated_result *r)
{
    fail_msg("noise %s, %g %% delayed, cut %g, accuracy %g %%: %d rows, scatter %.2f errors, "
             "%.1f %% within two",
             c->noise->name, c->delayed * 100, c->cut_quantile, c->accuracy * 100, r->rows,
             r->scatter, r->within_errors * 100);
}

/* Rows may end before they are accurate only if that takes about Max_Repetition. */
TEST(test_errors_are_those_of_the_mean)
{
    for (size_t i = 0; i < GENERATED_CASES; i++) {
        struct generated_case c = generated_case(i);
        struct generated_result r = generated_measure(&c, SEEDS);
        bool few = r.rows < SEEDS && (r.rows == 0 || r.repetitions < 0.9 * c.max_repetition);
        bool scatters = !isnan(r.scatter) && (r.scatter < 0.7 || r.scatter > 1.5);
        if (few || (r.rows > 0 && (scatters || r.within_errors < 0.92)))
            fail_case(&c, &r);
    }
}

/* With a quarter cut from each end, normal noise scatters by more than two of the paper's errors.
 */
TEST(test_errors_of_the_paper_are_too_small)
{
    struct generated_case c = { &noises[1], 0, 0.25, 0.01, 3000, ERROR_PAPER, STOP_ACCURACY };
    struct generated_result r = generated_measure(&c, SEEDS);
    if (r.scatter < 1.9 || r.within_errors > 0.8)
        fail_case(&c, &r);
}

/* A quarter is cut off, so that in many rows all values that remain are of the first mode. Their
 * error is 0 only if the second mode is clearly rarer. */
TEST(test_two_modes)
{
    static const double delayed[] = { 0, 0.1, 0.27, 0.3, 0.4 }, accuracy[] = { 0.05, 0.025 };
    for (size_t i = 0; i < 2 * GENERATED_COUNT(delayed); i++) {
        struct generated_case c = { &bimodal, delayed[i / 2],   0.25,         accuracy[i % 2],
                                    3000,     ERROR_WINSORISED, STOP_ACCURACY };
        if (c.delayed > 0)
            c.noise = &noises[0];
        bool exact = c.delayed > 0 && c.delayed < 0.2;
        struct generated_result r = generated_measure(&c, SEEDS);
        bool fits = exact ? isnan(r.scatter) : r.scatter > 0.7 && r.scatter < 1.5;
        if (r.rows < SEEDS || !fits || r.within_errors < 0.92)
            fail_case(&c, &r);
    }
}

/* Equal repetitions end at the least number, far below Max_Repetition. */
TEST(test_equal_repetitions)
{
    for (size_t i = 0; i < GENERATED_WITHOUT_NOISE; i++) {
        struct generated_case c = generated_case(i);
        struct generated_result r = generated_measure(&c, 3);
        struct limits l = { .standard_error = c.accuracy, .cut_quantile = c.cut_quantile };
        assert_int_equal(r.rows, 3);
        assert_true(r.repetitions == limits_least(&l));
        assert_true(isnan(r.scatter));
    }
}

/* Where Max_Repetition comes first, the error is not too small, or it is 0, which is not an
 * accuracy (stop_test.c): equal repetitions may all miss rare delays. */
TEST(test_too_few_repetitions_allowed)
{
    for (size_t i = 0; i < GENERATED_CASES; i++) {
        struct generated_case c = generated_case(i);
        c.max_repetition = 20;
        c.stop = STOP_REPETITIONS;
        struct generated_result r = generated_measure(&c, SEEDS);
        if (r.rows < SEEDS || (c.noise->size > 0 && r.scatter > 1.5 && r.within_errors < 0.92))
            fail_case(&c, &r);
    }
}
