#include "../test.h"

#include "results/history.h"

#include "base/text.h"

static const char *const labels[] = { "col_a", "col_ab", "p2p_c" };

static const struct run_request start = {
    .out_path = "out", .log_path = "log", .labels = labels, .count = 3
};

/* Prefixes every line of the text with a time. */
static char *as_log(const char *lines)
{
    struct text log = { 0 };
    while (*lines != '\0') {
        size_t len = strcspn(lines, "\n");
        text_add(&log, "2026-01-31T23:59:59Z %.*s%s", (int)len, lines,
                 lines[len] == '\n' ? "\n" : "");
        lines += len + (lines[len] == '\n');
    }
    text_add(&log, "%s", "");
    return text_take(&log);
}

static int read_lines(struct history *h, const char *lines, struct err *e)
{
    LOCAL_STRING log = as_log(lines);
    int rc = history_read(h, &start, log, strlen(log), e);
    return rc;
}

#define PARAMETERS "run-parameters 00000000000000ff\n"
#define GROUP      PARAMETERS "run-processes 16 n1:8 n2:8\nrun-header 120 0123456789abcdef\n"
#define BEGIN      GROUP "run-begin out\n"

struct state_case {
    const char *lines;
    bool found, ended;
    const char *states; /* a letter per suite, with the number of crashes */
};

static const struct state_case state_cases[] = {
    { "", false, false, "l0 l0 l0" },
    { "note hello\n", false, false, "l0 l0 l0" },
    { GROUP, false, false, "l0 l0 l0" },
    { BEGIN, true, false, "l0 l0 l0" },
    { BEGIN "suite-begin col_a\n", true, false, "b0 l0 l0" },
    { BEGIN "suite-begin col_a\nsuite-pass col_a 1\n", true, false, "l0 l0 l0" },
    { BEGIN "suite-begin col_a\nsuite-pass col_a 1\nsuite-again col_a\n", true, false, "b0 l0 l0" },
    { BEGIN "suite-begin col_ab\nsuite-end col_ab\n", true, false, "l0 d0 l0" },
    { BEGIN "suite-begin p2p_c\nsuite-failed p2p_c no room\n", true, false, "l0 l0 f0" },
    { BEGIN "suite-begin p2p_c\nsuite-crashed p2p_c no room\n", true, false, "l0 l0 l1" },
    { BEGIN "suite-crashed p2p_c\nsuite-begin p2p_c\nsuite-crashed p2p_c\n", true, false,
      "l0 l0 l2" },
    { BEGIN "suite-begin p2p_c\nsuite-unwritten p2p_c full\n", true, false, "l0 l0 l0" },
    { BEGIN "suite-end nobody\nsuite-end col_a\nrun-end out\n", true, true, "d0 l0 l0" },
    { BEGIN "suite-end col_a\nrun-end out\n" BEGIN, true, false, "l0 l0 l0" },
    { BEGIN "suite-end col_a\nrun-end out\n" GROUP, true, true, "d0 l0 l0" },
    { BEGIN "suite-end col_a\nrun-end out\nrun-resume out\n", true, false, "d0 l0 l0" },
    { BEGIN "suite-begin col_a\nrun-resume out\nsuite-end p2p_c\n", true, false, "b0 l0 d0" },
    { BEGIN GROUP "run-begin other\nsuite-end col_a\nrun-end other\n", true, false, "l0 l0 l0" },
    { BEGIN GROUP "run-begin other\nrun-resume out\nsuite-end col_a\n", true, false, "d0 l0 l0" },
    { GROUP "run-begin other\nsuite-end col_a\n", false, false, "l0 l0 l0" },
    { "run-resume out\nsuite-end col_a\n", false, false, "l0 l0 l0" },
    { BEGIN "suite-end col_a\nsuite-end col_", true, false, "d0 l0 l0" },
    { BEGIN "run-end o", true, false, "l0 l0 l0" },
};

TEST(test_states)
{
    for (size_t i = 0; i < COUNT(state_cases); i++) {
        const struct state_case *c = &state_cases[i];
        char states[64] = "";
        struct err e = { "" };
        LOCAL(history) h;
        assert_int_equal(read_lines(&h, c->lines, &e), 0);
        for (size_t n = 0; n < start.count; n++)
            snprintf(states + strlen(states), sizeof(states) - strlen(states), "%s%c%d",
                     n == 0 ? "" : " ", "lbdfg"[h.suites[n].state], h.suites[n].crashes);
        assert_string_equal(states, c->states);
        assert_int_equal(h.found, c->found);
        assert_int_equal(h.ended, c->ended);
    }
}

/* A pass replaces its rows; the last argument that hung is named, even if the suite was ended by a
 * user. */
TEST(test_rows_and_hangs)
{
    static const char lines[] =
        BEGIN "suite-begin col_a\nsuite-pass col_a 1\nsuite-row col_a 2\nsuite-row col_a 3\n"
              "suite-begin p2p_c\nsuite-row p2p_c 1\nsuite-pass p2p_c 2\nsuite-row p2p_c 3\n"
              "suite-crashed p2p_c at argument 8 took too long\n"
              "suite-silent col_a at argument 4 was not finished\n";
    struct err e = { "" };
    LOCAL(history) h;
    assert_int_equal(read_lines(&h, lines, &e), 0);
    const struct past *a = &h.suites[0], *c = &h.suites[2];
    assert_string_equal(text_get(&a->passes), "1\n~2\n~3\n");
    assert_string_equal(text_get(&c->passes), "2\n~3\n");
    assert_int_equal(history_passes(&h, 0), 1);
    assert_string_equal(a->hung, "argument 4 was not finished");
    assert_string_equal(c->hung, "argument 8 took too long");
    assert_true(a->state == SUITE_BEGUN && a->hangs == 0 && c->state == SUITE_LEFT &&
                c->hangs == 1);
}

TEST(test_identity)
{
    struct err e = { "" };
    LOCAL(history) h;
    assert_int_equal(read_lines(&h, BEGIN "run-processes 16 n3:16\nrun-resume out\n", &e), 0);
    assert_int_equal(h.fingerprint, 0xff);
    assert_int_equal(h.processes, 16);
    assert_string_equal(h.hosts, "n3:16");
    assert_int_equal(h.header_len, 120);
    assert_true(h.header_hash == 0x0123456789abcdefu);
}

/* A log without the lines about a run, as before runs could be resumed. */
TEST(test_without_identity)
{
    struct err e = { "" };
    LOCAL(history) h;
    assert_int_equal(read_lines(&h, BEGIN "run-end out\nrun-begin out\n", &e), 0);
    assert_true(h.found && !h.ended);
    assert_int_equal(h.header_len, 0);
}

struct damage_case {
    const char *lines;
    int line;
};

static const struct damage_case damage_cases[] = {
    { "note x\nhello\n", 2 },
    { "hello\n", 1 },
    { "note x\n\nnote y\n", 2 },
    { "run-parameters 00000000000000fg\n", 1 },
    { "run-parameters 0\n", 1 },
    { "run-processes many\n", 1 },
    { "run-processes 0 a\n", 1 },
    { "run-processes 99999999999 a\n", 1 },
    { "run-header x 0123456789abcdef\n", 1 },
    { "run-header 12 0123456789abcde\n", 1 },
    { "run-shuffle 0\n", 1 },
    { "run-shuffle 2147483648\n", 1 },
    { "run-shuffle 7 8\n", 1 },
};

static void check_damage(const char *log, size_t len, int line)
{
    char expected[256];
    struct err e = { "" };
    LOCAL(history) h;
    assert_int_equal(history_read(&h, &start, log, len, &e), -1);
    snprintf(expected, sizeof(expected),
             "'log' is damaged in line %d; repair it, or start with --fresh, which keeps it under "
             "another name",
             line);
    assert_string_equal(e.text, expected);
}

TEST(test_damage)
{
    for (size_t i = 0; i < COUNT(damage_cases); i++) {
        LOCAL_STRING log = as_log(damage_cases[i].lines);
        check_damage(log, strlen(log), damage_cases[i].line);
    }
    static const char zeros[] = "2026-01-31T23:59:59Z note \0\0\0\n";
    check_damage(zeros, sizeof(zeros) - 1, 1);
}

/* With arbitrary bytes, the reader neither crashes nor reads too far. */
TEST(test_any_bytes)
{
    LOCAL_STRING log = as_log(BEGIN "suite-begin col_a\nsuite-end col_a\nrun-end out\n");
    size_t len = strlen(log);
    unsigned random = 1;
    for (int i = 0; i < 20000; i++) {
        struct err e = { "" };
        LOCAL(history) h;
        random = random * 1664525u + 1013904223u;
        char *at = &log[(random >> 8) % len], kept = *at;
        *at = (char)(random >> 24);
        int rc = history_read(&h, &start, log, len, &e);
        assert_true(rc == 0 || strstr(e.text, "is damaged in line") != NULL);
        *at = kept;
    }
}
