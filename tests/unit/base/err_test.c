#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/err.h"

#include <limits.h>
#include <string.h>

static void test_nothing_went_wrong(void **state)
{
    struct err e = { "" };
    (void)state;
    assert_false(err_is_set(&e));
}

static const struct set_case {
    const char *format, *argument, *expected;
} set_cases[] = {
    { "no subject%s", "", "no subject" },
    { "expected an integer, got '%s'", "x", "expected an integer, got 'x'" },
    { "'%s' is odd", "100 %d %s", "'100 %d %s' is odd" },
};

static void test_set(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(set_cases) / sizeof(set_cases[0]); i++) {
        const struct set_case *c = &set_cases[i];
        struct err e = { "" };
        assert_int_equal(err_set(&e, c->format, c->argument), -1);
        assert_true(err_is_set(&e));
        assert_string_equal(e.text, c->expected);
    }
}

static void test_the_first_wins(void **state)
{
    struct err e = { "" };
    (void)state;
    err_set(&e, "the cause");
    assert_int_equal(err_set(&e, "what followed"), -1);
    assert_int_equal(err_no_memory(&e, 1), -1);
    assert_string_equal(e.text, "the cause");
}

static void test_long_messages_are_cut_off(void **state)
{
    char name[3000];
    struct err e = { "" };
    (void)state;
    memset(name, 'x', sizeof(name));
    name[sizeof(name) - 1] = '\0';
    assert_int_equal(err_set(&e, "bad: %s", name), -1);
    assert_int_equal(strlen(e.text), sizeof(e.text) - 1);
    assert_memory_equal(e.text, "bad: xxx", 8);
}

static const struct memory_case {
    unsigned long long bytes;
    const char *expected;
} memory_cases[] = {
    { 0, "out of memory: cannot allocate 0 bytes" },
    { 65536, "out of memory: cannot allocate 65536 bytes" },
    { ULLONG_MAX, "out of memory: cannot allocate 18446744073709551615 bytes" },
};

static void test_no_memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(memory_cases) / sizeof(memory_cases[0]); i++) {
        struct err e = { "" };
        assert_int_equal(err_no_memory(&e, memory_cases[i].bytes), -1);
        assert_string_equal(e.text, memory_cases[i].expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_went_wrong),
        cmocka_unit_test(test_set),
        cmocka_unit_test(test_the_first_wins),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_long_messages_are_cut_off),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
