/* The needs of every unit test: cmocka, the usual headers, a list of the tests, and main. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Ends a test that this machine cannot run. The library's own says "not ok", which is a failure. */
#undef skip
#define skip()                                                                                     \
    do {                                                                                           \
        print_message("# skipped\n");                                                              \
        return;                                                                                    \
    } while (0)

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))

/* A loop over the rows of a table. */
#define EACH(row, rows)                                                                            \
    for (const __typeof__(*(rows)) *row = (rows); row < (rows) + COUNT(rows); row++)

/* Declares a struct that is released at the end of its block, as LOCAL_TEXT is. */
#define LOCAL(name) __attribute__((cleanup(name##_release))) struct name

/* For a call whose message the test does not read. */
#define NO_ERR (&(struct err){ "" })

/* Calls a function that must succeed, or fail with this message; its argument for errors is &e. */
#define SUCCEEDS(call)                                                                             \
    do {                                                                                           \
        struct err e = { "" };                                                                     \
        if ((call) != 0)                                                                           \
            fail_msg("%s", e.text);                                                                \
    } while (0)
#define FAILS(call, message)                                                                       \
    do {                                                                                           \
        struct err e = { "" };                                                                     \
        assert_int_equal(call, -1);                                                                \
        assert_string_equal(e.text, message);                                                      \
    } while (0)

static inline void string_release(char **s)
{
    free(*s);
}
#define LOCAL_STRING __attribute__((cleanup(string_release))) char *

enum { MOST_TESTS = 64 };

static struct CMUnitTest unit_tests[MOST_TESTS];
static size_t unit_test_count;
static CMFixtureFunction group_setup, group_teardown;

/* Defines a test and lists it; its body follows. With functions that run before and after it (or
 * NULL). */
#define TEST(name) TEST_WITH(name, NULL, NULL)
#define TEST_WITH(name, before, after)                                                             \
    static void name(void **state);                                                                \
    __attribute__((constructor)) static void list_##name(void)                                     \
    {                                                                                              \
        unit_tests[unit_test_count++] = (struct CMUnitTest){ #name, name, before, after, NULL };   \
    }                                                                                              \
    static void name(__attribute__((unused)) void **state)

/* Functions that run before and after all tests of the file. */
#define ALL_TESTS_WITH(before, after)                                                              \
    __attribute__((constructor)) static void list_fixtures(void)                                   \
    {                                                                                              \
        group_setup = before;                                                                      \
        group_teardown = after;                                                                    \
    }

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return _cmocka_run_group_tests("tests", unit_tests, unit_test_count, group_setup,
                                   group_teardown);
}
