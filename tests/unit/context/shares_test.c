#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "context/shares.h"

static void every_moment_belongs_to_one_activity(void **state)
{
    (void)state;
    struct shares s = shares_start(100.0);
    struct text text = { 0 };
    shares_enter(&s, ACTIVITY_MEASURING, 101.0);
    enum activity before = shares_enter(&s, ACTIVITY_SYNCHRONISING, 104.0);
    assert_int_equal(before, ACTIVITY_MEASURING);
    shares_enter(&s, before, 105.0);
    shares_enter(&s, ACTIVITY_WRITING, 108.0);
    s.timed_s = 3.0;
    s.waiting_s = 1.0;
    shares_text(&s, 110.0, true, &text);
    assert_string_equal(text_get(&text),
                        "30.0 % measuring, 10.0 % synchronising, 10.0 % waiting, 20.0 % around "
                        "repetitions, 0.0 % preparing, 0.0 % coordinating, 0.0 % finding partners, "
                        "10.0 % starting, 20.0 % writing");
    text_release(&text);
}

static void a_run_without_time_has_no_shares(void **state)
{
    (void)state;
    struct shares s = shares_start(5.0);
    struct text text = { 0 };
    shares_text(&s, 5.0, false, &text);
    assert_string_equal(text_get(&text), "0.0 % measuring, 0.0 % synchronising, 0.0 % waiting");
    text_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_moment_belongs_to_one_activity),
        cmocka_unit_test(a_run_without_time_has_no_shares),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
