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

/* Errors computed separately: the scaled median absolute deviation; half the distance of two. */
static const struct between_case cases[] = {
    { 0, { 0 }, { 0, NAN, NAN } },
    { 1, { 3 }, { 1, 3, NAN } },
    { 1, { NAN }, { 0, NAN, NAN } },
    { 2, { 4, 2 }, { 2, 3, 1 } },
    { 3, { 9, 1, 2 }, { 3, 2, 1.1800941078536773 } },
    { 4, { 4, 1, 3, 2 }, { 4, 2.5, 0.9987643972517626 } },
    { 4, { NAN, 4, NAN, 2 }, { 2, 3, 1 } },
    { 5, { 7.1, 7.1, 7.1, 7.1, 7.1 }, { 5, 7.1, 0 } },
    { 6, { -1, 100, 0, 0, 0, 0 }, { 6, 0, 0 } },
    { 2, { DBL_MAX, DBL_MAX }, { 2, DBL_MAX, 0 } },
    { 2, { -DBL_MAX, DBL_MAX }, { 2, 0, DBL_MAX } },
    { 4, { 10, 1000, 10.1, 9.9 }, { 4, 10.05, 0.09987643972517626 } },
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

/* --- properties for many sets of runs --- */

enum { SETS = 20000, MAX_RUNS = 20 };

static double uniform(unsigned long long *state)
{
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*state >> 11) / 9007199254740992.0;
}

/* Box and Muller. */
static double normal(unsigned long long *state)
{
    double u = 1.0 - uniform(state);
    return sqrt(-2.0 * log(u)) * cos(6.283185307179586 * uniform(state));
}

/* The error of medians of runs around 100, divided by the error that they state: the root of the
 * mean square over the mean. The first `bad` of the runs take ten times as long. */
static double scatter_by_error(size_t runs, size_t bad)
{
    unsigned long long state = 20061012 + runs;
    double squares = 0, errors = 0;
    for (int set = 0; set < SETS; set++) {
        double values[MAX_RUNS];
        for (size_t i = 0; i < runs; i++)
            values[i] = (100 + normal(&state)) * (i < bad ? 10 : 1);
        struct between b = between_runs(values, runs);
        squares += (b.median - 100) * (b.median - 100);
        errors += b.error;
    }
    return sqrt(squares / SETS) / (errors / SETS);
}

static void test_error_is_sound(void **state)
{
    (void)state;
    for (size_t runs = 3; runs <= MAX_RUNS; runs++) {
        const size_t bad[] = { 0, 1, runs / 4 };
        for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
            double ratio = scatter_by_error(runs, bad[i]);
            if (!(ratio > 0.7 && ratio < 1.5))
                fail_msg("%zu runs, %zu bad: medians scatter by %.2f times their error", runs,
                         bad[i], ratio);
        }
    }
}

static void test_most_frequent(void **state)
{
    static const struct {
        size_t count;
        double values[6], expected;
    } rows[] = {
        { 0, { 0 }, NAN },     { 1, { NAN }, NAN },      { 1, { 3 }, 3 },
        { 3, { 3, 1, 3 }, 3 }, { 4, { 3, 1, 3, 1 }, 1 }, { 6, { NAN, 2, NAN, NAN, 1, 2 }, 2 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        double values[6];
        for (size_t k = 0; k < 6; k++)
            values[k] = rows[i].values[k];
        double found = most_frequent(values, rows[i].count);
        if (isnan(rows[i].expected) ? !isnan(found) : found != rows[i].expected)
            fail_msg("case %zu: %g", i, found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_cases),
                                        cmocka_unit_test(test_error_is_sound),
                                        cmocka_unit_test(test_most_frequent) };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
