#include "model/spreading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

enum { MOST = 64 };

static const struct suite_options spreads[] = {
    { .spread = SPREAD_UNIFORM },
    { .spread = SPREAD_LINEAR },
    { .spread = SPREAD_GEOMETRIC, .spread_number = 2 },
    { .spread = SPREAD_GEOMETRIC, .spread_number = 1000 },
    { .spread = SPREAD_ONE_LARGE, .spread_number = 90 },
    { .spread = SPREAD_ONE_LARGE, .spread_number = 100 },
    { .spread = SPREAD_SPARSE, .spread_number = 1 },
    { .spread = SPREAD_SPARSE, .spread_number = 1000 },
    { .spread = SPREAD_RANDOM, .spread_number = 7 },
};

/* Parts follow each other and have all elements together, also none. */
static void nothing_is_lost(void **state)
{
    (void)state;
    static const long totals[] = { 0, 1, 7, 64, 1000003 };
    for (size_t s = 0; s < sizeof(spreads) / sizeof(*spreads); s++)
        for (int n = 1; n <= MOST; n++)
            for (size_t t = 0; t < sizeof(totals) / sizeof(*totals); t++) {
                int counts[MOST], begins[MOST];
                long sum = 0;
                spread_divide(&spreads[s], n, totals[t], counts, begins);
                for (int i = 0; i < n; i++) {
                    assert_int_equal(begins[i], sum);
                    assert_true(counts[i] >= 0);
                    sum += counts[i];
                }
                assert_int_equal(sum, totals[t]);
            }
}

static void parts_have_their_sizes(void **state)
{
    (void)state;
    static const struct {
        struct suite_options x;
        int parts[4];
    } cases[] = {
        { { .spread = SPREAD_UNIFORM }, { 30, 30, 30, 30 } },
        { { .spread = SPREAD_LINEAR }, { 48, 36, 24, 12 } },
        { { .spread = SPREAD_GEOMETRIC, .spread_number = 2 }, { 64, 32, 16, 8 } },
        { { .spread = SPREAD_ONE_LARGE, .spread_number = 70 }, { 84, 12, 12, 12 } },
        { { .spread = SPREAD_SPARSE, .spread_number = 2 }, { 60, 0, 60, 0 } },
    };
    for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
        int counts[4], begins[4];
        spread_divide(&cases[c].x, 4, 120, counts, begins);
        for (int i = 0; i < 4; i++)
            assert_int_equal(counts[i], cases[c].parts[i]);
    }
}

static void seeds_differ(void **state)
{
    (void)state;
    const struct suite_options one = { .spread = SPREAD_RANDOM, .spread_number = 1 };
    const struct suite_options two = { .spread = SPREAD_RANDOM, .spread_number = 2 };
    int counts[8], others[8], begins[8], equal = 0;
    spread_divide(&one, 8, 100000, counts, begins);
    spread_divide(&two, 8, 100000, others, begins);
    for (int i = 0; i < 8; i++)
        equal += counts[i] == others[i];
    assert_true(equal < 8);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_lost),
        cmocka_unit_test(parts_have_their_sizes),
        cmocka_unit_test(seeds_differ),
    };
    return cmocka_run_group_tests_name("spreading", tests, NULL, NULL);
}
