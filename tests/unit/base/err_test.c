#include "../test.h"

#include "base/err.h"

#include <limits.h>

TEST(test_nothing_went_wrong)
{
    struct err e = { "" };
    assert_false(err_is_set(&e));
}

static const struct set_case {
    const char *format, *argument, *expected;
} set_cases[] = {
    { "no subject%s", "", "no subject" },
    { "expected an integer, got '%s'", "x", "expected an integer, got 'x'" },
    { "'%s' is odd", "100 %d %s", "'100 %d %s' is odd" },
};

TEST(test_set)
{
    EACH(c, set_cases) {
        struct err e = { "" };
        assert_int_equal(err_set(&e, c->format, c->argument), -1);
        assert_true(err_is_set(&e));
        assert_string_equal(e.text, c->expected);
    }
}

TEST(test_the_first_wins)
{
    struct err e = { "" };
    err_set(&e, "the cause");
    assert_int_equal(err_set(&e, "what followed"), -1);
    assert_int_equal(err_no_memory(&e, 1), -1);
    assert_string_equal(e.text, "the cause");
}

TEST(test_long_messages_are_cut_off)
{
    char name[3000];
    struct err e = { "" };
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

TEST(test_no_memory)
{
    EACH(c, memory_cases) {
        struct err e = { "" };
        assert_int_equal(err_no_memory(&e, c->bytes), -1);
        assert_string_equal(e.text, c->expected);
    }
}

TEST(test_memory)
{
    struct err e = { "" };
    int *numbers;
    assert_int_equal(memory_take(&numbers, 3, &e), 0);
    assert_int_equal(numbers[2], 0);
    free(numbers);
    assert_int_equal(memory_take(&numbers, 0, &e), 0); /* none, but not NULL */
    free(numbers);
    assert_int_equal(memory_take(&numbers, SIZE_MAX / 8, &e), -1);
    assert_null(numbers);
    assert_memory_equal(e.text, "out of memory: ", 15);
}
