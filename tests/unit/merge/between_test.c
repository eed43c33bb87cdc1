#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "merge/between.h"

#include <float.h>
#include <math.h>

struct between_case {
    size_t count;
    double values[6];
    struct between expected;
};

/* Errors by hand: sigma of a sample over the root of the number. */
static const struct between_case cases[] = {
    { 0, { 0 }, { 0, NAN, NAN } },
    { 1, { 3 }, { 1, 3, NAN } },
    { 1, { NAN }, { 0, NAN, NAN } },
    { 2, { 4, 2 }, { 2, 3, 1 } },
    { 3, { 9, 1, 2 }, { 3, 2, 2.516611478423583 } },
    { 4, { 4, 1, 3, 2 }, { 4, 2.5, 0.6454972243679028 } },
    { 4, { NAN, 4, NAN, 2 }, { 2, 3, 1 } },
    { 5, { 7.1, 7.1, 7.1, 7.1, 7.1 }, { 5, 7.1, 0 } },
    { 6, { -1, 100, 0, 0, 0, 0 }, { 6, 0, 16.700798384109270 } },
    { 2, { DBL_MAX, DBL_MAX }, { 2, DBL_MAX, 0 } },
    { 2, { -DBL_MAX, DBL_MAX }, { 2, 0, NAN } },
};

static int same(double a, double b)
{
    return isnan(a) ? isnan(b) : fabs(a - b) <= 1e-12 * fabs(b);
}

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        double values[6];
        for (size_t k = 0; k < 6; k++)
            values[k] = cases[i].values[k];
        struct between b = between_runs(values, cases[i].count);
        if (b.runs != cases[i].expected.runs || !same(b.median, cases[i].expected.median) ||
            !same(b.error, cases[i].expected.error))
            fail_msg("case %zu: %zu runs, %g, %.16g", i, b.runs, b.median, b.error);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_cases) };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
