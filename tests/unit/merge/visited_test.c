/* The errors and marks of visited rows, for repetitions that depend on time in many ways. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../visited.h"

enum { SEEDS = 1000 };

static void test_visited_rows(void **state)
{
    for (size_t i = 0; i < VISITED_CASES; i++) {
        const struct visited_case *c = &visited_cases[i];
        struct visited_result r = visited_measure(c, SEEDS);
        if (r.stated < 1 || !visited_is_good(c, &r))
            fail_msg("%s: scatter %.2f errors, %.1f %% within two, %.1f %% unsteady, %.1f %% with "
                     "two modes",
                     c->name, r.scatter, r.within * 100, r.unsteady * 100, r.modes * 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_visited_rows) };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
