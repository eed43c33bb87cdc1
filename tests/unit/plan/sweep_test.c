#include "../test.h"

#include "plan/sweep.h"

#include <limits.h>

TEST(gives_the_arguments_of_the_scale)
{
    static const struct {
        struct plan_spec spec;
        long expected[20]; /* ends with -1 */
    } rows[] = {
        /* Fixed_linear ends where the steps end */
        { { SCALE_FIXED_LINEAR, 0, 10, 1, 5.0, 0, 0, 0, 0 }, { 0, 5, 10, -1 } },
        { { SCALE_FIXED_LINEAR, 0, 12, 1, 5.0, 0, 0, 0, 0 }, { 0, 5, 10, -1 } },
        { { SCALE_FIXED_LINEAR, 2, 12, 1, 3.0, 0, 0, 0, 0 }, { 2, 5, 8, 11, -1 } },
        { { SCALE_FIXED_LINEAR, 7, 7, 1, 3.0, 0, 0, 0, 0 }, { 7, -1 } },
        { { SCALE_FIXED_LINEAR, 8, 7, 1, 3.0, 0, 0, 0, 0 }, { -1 } },
        { { SCALE_FIXED_LINEAR, 0, 0, 1, 3.0, 0, 0, 0, 0 }, { 0, -1 } },
        { { SCALE_FIXED_LINEAR, 0, 5, 1, 1.5, 0, 0, 0, 0 }, { 0, 1, 3, 4, -1 } },
        { { SCALE_FIXED_LINEAR, 0, 3, 1, 0.5, 0, 0, 0, 0 }, { 0, 1, 2, 3, -1 } },
        { { SCALE_FIXED_LINEAR, 0, 33, 1, 1.1 * 3, 0, 0, 0, 0 },
          { 0, 3, 6, 9, 13, 16, 19, 23, 26, 29, 33, -1 } },
        { { SCALE_FIXED_LINEAR, 0, 20, 4, 5.0, 0, 0, 0, 0 }, { 0, 4, 8, 12, 20, -1 } },
        { { SCALE_FIXED_LINEAR, 0, 12, 4, 1.0, 0, 0, 0, 0 }, { 0, 4, 8, 12, -1 } },
        { { SCALE_FIXED_LINEAR, 8, 16, 8, 3.0, 0, 0, 0, 0 }, { 8, 16, -1 } },
        { { SCALE_FIXED_LINEAR, 0, 9, 3, 4.0, 0, 0, 0, 0 }, { 0, 3, 6, -1 } },
        { { SCALE_FIXED_LINEAR, 0, 100, 1, 1e300, 0, 0, 0, 0 }, { 0, -1 } },
        { { SCALE_FIXED_LINEAR, 0, LONG_MAX - 7, 8, 1e300, 0, 0, 0, 0 }, { 0, -1 } },
        { { SCALE_DYNAMIC_LINEAR, 0, LONG_MAX - 7, 8, 1e300, 2, 0, 0, 0 },
          { 0, LONG_MAX - 7, -1 } },
        { { SCALE_FIXED_LOG, 0, LONG_MAX - 7, 8, 1e15, 0, 0, 0, 0 },
          { 0, 8, 1000000000000000, LONG_MAX - 7, -1 } },
        /* Dynamic_linear measures the end; sweeps are whole, even if max_steps is less */
        { { SCALE_DYNAMIC_LINEAR, 0, 12, 1, 5.0, 9, 0, 0, 0 }, { 0, 5, 10, 12, -1 } },
        { { SCALE_DYNAMIC_LINEAR, 0, 10, 1, 5.0, 9, 0, 0, 0 }, { 0, 5, 10, -1 } },
        { { SCALE_DYNAMIC_LINEAR, 0, 45, 1, 10.0, 3, 0, 0, 0 }, { 0, 10, 20, 30, 40, 45, -1 } },
        { { SCALE_DYNAMIC_LINEAR, 0, 45, 1, 10.0, 0, 0, 0, 0 }, { 0, 10, 20, 30, 40, 45, -1 } },
        /* logarithmic: first, the powers above it, last */
        { { SCALE_FIXED_LOG, 1, 20, 1, 2.0, 0, 0, 0, 0 }, { 1, 2, 4, 8, 16, 20, -1 } },
        { { SCALE_FIXED_LOG, 1, 16, 1, 2.0, 0, 0, 0, 0 }, { 1, 2, 4, 8, 16, -1 } },
        { { SCALE_FIXED_LOG, 0, 16, 1, 4.0, 0, 0, 0, 0 }, { 0, 1, 4, 16, -1 } },
        { { SCALE_FIXED_LOG, 0, 0, 1, 4.0, 0, 0, 0, 0 }, { 0, -1 } },
        { { SCALE_FIXED_LOG, 5, 5, 1, 4.0, 0, 0, 0, 0 }, { 5, -1 } },
        { { SCALE_FIXED_LOG, 5, 4, 1, 4.0, 0, 0, 0, 0 }, { -1 } },
        { { SCALE_FIXED_LOG, 3, 40, 1, 2.0, 0, 0, 0, 0 }, { 3, 4, 8, 16, 32, 40, -1 } },
        { { SCALE_FIXED_LOG, 0, 64, 4, 2.0, 0, 0, 0, 0 }, { 0, 4, 8, 16, 32, 64, -1 } },
        { { SCALE_FIXED_LOG, 0, 60, 12, 3.0, 0, 0, 0, 0 }, { 0, 12, 24, 60, -1 } },
        { { SCALE_FIXED_LOG, 1, 11, 1, 1.5, 0, 0, 0, 0 }, { 1, 2, 3, 5, 7, 11, -1 } },
        { { SCALE_FIXED_LOG, 1, 6, 1, 1.01, 0, 0, 0, 0 }, { 1, 2, 3, 4, 5, 6, -1 } },
        { { SCALE_FIXED_LOG, 1, 4, 1, 1.0 + 1e-15, 0, 0, 0, 0 }, { 1, 2, 3, 4, -1 } },
        { { SCALE_FIXED_LOG, 1, 1000, 1, 10.0, 0, 0, 0, 0 }, { 1, 10, 100, 1000, -1 } },
        { { SCALE_FIXED_LOG, 1, 9, 1, 1e300, 0, 0, 0, 0 }, { 1, 9, -1 } },
        { { SCALE_DYNAMIC_LOG, 0, 1000, 1, 10.0, 9, 0, 0, 0 }, { 0, 1, 10, 100, 1000, -1 } },
        { { SCALE_DYNAMIC_LOG, 1, 300, 1, 4.0, 1, 0, 0, 0 }, { 1, 4, 16, 64, 256, 300, -1 } },
    };
    EACH(c, rows) {
        LOCAL(sweep) s;
        assert_int_equal(sweep_init(&s, &c->spec, NO_ERR), 0);
        for (size_t k = 0; k < s.count; k++) {
            assert_int_equal(s.arguments[k], c->expected[k]);
            assert_true(sweep_contains(&s, s.arguments[k]));
            assert_false(sweep_contains(&s, -s.arguments[k] - 1));
        }
        assert_int_equal(c->expected[s.count], -1);
    }
}

/* 100 * 4.35 is a bit less than 435, and the root of 3 squared a bit less than 3. */
TEST(rounded_arguments_are_what_they_should_be)
{
    static const struct {
        struct plan_spec spec;
        long argument;
    } rows[] = {
        { { SCALE_FIXED_LINEAR, 0, 435, 1, 4.35, 0, 0, 0, 0 }, 435 },
        { { SCALE_FIXED_LOG, 1, 10, 1, 1.7320508075688772, 0, 0, 0, 0 }, 3 },
    };
    EACH(c, rows) {
        LOCAL(sweep) s;
        assert_int_equal(sweep_init(&s, &c->spec, NO_ERR), 0);
        assert_true(sweep_contains(&s, c->argument));
    }
}

TEST(powers_of_the_root_of_two_double)
{
    struct plan_spec spec = { SCALE_FIXED_LOG, 0, 1L << 20, 1, sqrt(2.0), 0, 0, 0, 0 };
    LOCAL(sweep) s;
    assert_int_equal(sweep_init(&s, &spec, NO_ERR), 0);
    for (int k = 0; k <= 20; k++)
        assert_true(sweep_contains(&s, 1L << k));
    assert_int_equal(s.count, 1 + 41 - 2); /* 0 and the powers; 1.4 becomes 1, 2.8 becomes 2 */
}

TEST(refuses_what_leads_nowhere)
{
    static const struct {
        struct plan_spec spec;
        const char *text;
    } rows[] = {
        { { SCALE_FIXED_LINEAR, 0, 9, 1, 0.0, 0, 0, 0, 0 },
          "Stepwidth must be a number above 0 on the scale Fixed_linear" },
        { { SCALE_DYNAMIC_LINEAR, 0, 9, 1, -1.0, 4, 0, 0, 0 },
          "Stepwidth must be a number above 0 on the scale Dynamic_linear" },
        { { SCALE_FIXED_LINEAR, 0, 9, 1, (double)INFINITY, 0, 0, 0, 0 },
          "Stepwidth must be a number above 0 on the scale Fixed_linear" },
        { { SCALE_FIXED_LOG, 0, 9, 1, 1.0, 0, 0, 0, 0 },
          "Stepwidth must be a number above 1 on the scale Fixed_log" },
        { { SCALE_DYNAMIC_LOG, 0, 9, 1, (double)NAN, 4, 0, 0, 0 },
          "Stepwidth must be a number above 1 on the scale Dynamic_log" },
        { { SCALE_FIXED_LINEAR, 0, 1000000, 1, 1.0, 0, 0, 0, 0 },
          "the sweep from 0 to 1000000 by Stepwidth 1 would have 1000001 arguments, more than "
          "1000000" },
        { { SCALE_FIXED_LINEAR, 0, 4000000000, 2, 0.5, 0, 0, 0, 0 },
          "the sweep from 0 to 4000000000 by Stepwidth 0.5 would have 2000000001 arguments, more "
          "than 1000000" },
        { { SCALE_FIXED_LOG, 1, 4000000000, 1, 1.0 + 1e-9, 0, 0, 0, 0 },
          "the sweep from 1 to 4000000000 by Stepwidth 1.000000001 would have 2386294248 "
          "arguments, more than 1000000" },
    };
    EACH(c, rows) {
        struct sweep s;
        FAILS(sweep_init(&s, &c->spec, &e), c->text);
        assert_null(s.arguments);
    }
}

TEST(the_longest_sweep_is_no_error)
{
    struct plan_spec spec = { SCALE_FIXED_LINEAR, 0, MAX_PLAN - 1, 1, 1.0, 0, 0, 0, 0 };
    LOCAL(sweep) s;
    assert_int_equal(sweep_init(&s, &spec, NO_ERR), 0);
    assert_int_equal(s.count, MAX_PLAN);
    assert_int_equal(s.arguments[MAX_PLAN - 1], MAX_PLAN - 1);
}
