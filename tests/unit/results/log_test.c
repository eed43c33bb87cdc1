#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "results/log.h"

#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char directory[] = "/tmp/skampi-log-XXXXXX";
static char path[sizeof(directory) + 8];

static int make_directory(void **state)
{
    (void)state;
    if (mkdtemp(directory) == NULL)
        return -1;
    snprintf(path, sizeof(path), "%s/log", directory);
    return 0;
}

static int remove_directory(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(directory);
}

static void write_text(const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

/* The caller frees it. */
static char *read_text(void)
{
    struct err e = { "" };
    size_t len;
    char *bytes;
    assert_int_equal(file_read(path, 1 << 20, &bytes, &len, &e), 0);
    return bytes;
}

static void append(const char *keyword, const char *rest)
{
    struct err e = { "" };
    int fd = log_open(path, &e);
    assert_true(fd >= 0);
    assert_int_equal(log_append(fd, path, keyword, rest, &e), 0);
    close(fd);
}

/* The line with every digit replaced by '9': the time has a fixed form. */
static void check_log(const char *expected)
{
    char *text = read_text();
    for (char *p = text; *p != '\0'; p++)
        if (*p >= '0' && *p <= '9')
            *p = '9';
    assert_string_equal(text, expected);
    free(text);
}

struct line_case {
    const char *keyword, *rest, *expected;
};

static const struct line_case line_cases[] = {
    { LOG_RUN_BEGIN, "skampi.out", "9999-99-99T99:99:99Z run-begin skampi.out\n" },
    { LOG_SUITE_BEGIN, "p2p_a", "9999-99-99T99:99:99Z suite-begin p9p_a\n" },
    { LOG_SUITE_END, "p2p_a", "9999-99-99T99:99:99Z suite-end p9p_a\n" },
    { LOG_NOTE, "", "9999-99-99T99:99:99Z note \n" },
    { LOG_NOTE, "a\nsuite-end b\033[0m\177\t", "9999-99-99T99:99:99Z note a?suite-end b?[9m??\n" },
    { LOG_NOTE, "K\303\266ln %s", "9999-99-99T99:99:99Z note K\303\266ln %s\n" },
    { LOG_RUN_END, "skampi.out", "9999-99-99T99:99:99Z run-end skampi.out\n" },
};

static void test_lines(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(line_cases) / sizeof(line_cases[0]); i++) {
        unlink(path);
        append(line_cases[i].keyword, line_cases[i].rest);
        check_log(line_cases[i].expected);
    }
}

static void test_time_is_now(void **state)
{
    (void)state;
    unlink(path);
    append(LOG_NOTE, "x");
    char *text = read_text();
    assert_in_range(strtol(text, NULL, 10), 2024, 2200);
    assert_memory_equal(text + 19, "Z note x", 8);
    free(text);
}

struct torn_case {
    const char *before, *expected; /* what is in the file; what is left of it */
};

static const struct torn_case torn_cases[] = {
    { "", "" },
    { "a\n", "a\n" },
    { "a\nb\n", "a\nb\n" },
    { "a\nsuite-end to", "a\n" },
    { "torn from the beginning", "" },
    { "\n", "\n" },
};

static void test_torn_lines_are_cut(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(torn_cases) / sizeof(torn_cases[0]); i++) {
        char expected[128];
        write_text(torn_cases[i].before);
        append(LOG_NOTE, "next");
        snprintf(expected, sizeof(expected), "%s9999-99-99T99:99:99Z note next\n",
                 torn_cases[i].expected);
        check_log(expected);
    }
}

static void test_cannot_be_opened(void **state)
{
    struct err e = { "" };
    (void)state;
    assert_int_equal(log_open("/nonexistent/skampi.log", &e), -1);
    assert_string_equal(e.text,
                        "cannot write '/nonexistent/skampi.log': No such file or directory");
}

static void test_disk_full(void **state)
{
    struct err e = { "" };
    (void)state;
    int fd = log_open("/dev/full", &e);
    assert_true(fd >= 0);
    assert_int_equal(log_append(fd, "/dev/full", LOG_NOTE, "x", &e), -1);
    assert_string_equal(e.text, "cannot write '/dev/full': No space left on device");
    close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_time_is_now),
        cmocka_unit_test(test_torn_lines_are_cut),
        cmocka_unit_test(test_cannot_be_opened),
        cmocka_unit_test(test_disk_full),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
