#include "../test.h"

#include "results/journal.h"

#include "base/text.h"

static const char *const labels[] = { "col_a", "col_ab", "p2p_c" };

static const struct run_request start = {
    .out_path = "out", .log_path = "log", .labels = labels, .count = 3
};

/* Prefixes every line of the text with a time, except those of results. */
static char *as_journal(const char *lines)
{
    struct text all = { 0 };
    while (*lines != '\0') {
        size_t len = strcspn(lines, "\n");
        text_add(&all, "%s%.*s%s", *lines == ' ' ? "" : "2026-01-31T23:59:59Z ", (int)len, lines,
                 lines[len] == '\n' ? "\n" : "");
        lines += len + (lines[len] == '\n');
    }
    text_add(&all, "%s", "");
    return text_take(&all);
}

static int read_bytes(struct journal *h, const char *bytes, size_t len, struct err *e)
{
    LOCAL_TEXT copy = { 0 };
    text_add_bytes(&copy, bytes, len);
    return journal_read(h, &start, &copy, e);
}

static int read_lines(struct journal *h, const char *lines, struct err *e)
{
    LOCAL_STRING journal = as_journal(lines);
    return read_bytes(h, journal, strlen(journal), e);
}

#define GROUP      "run-parameters 00000000000000ff\nrun-processes 16 n1:8 n2:8\n"
#define BEGIN      GROUP " #@H\nrun-begin out\n"
#define BLOCK      "#a\n1 2\n"
#define END(label) " #a\n 1 2\nsuite-end " label "\n"
#define TRAILER    " #end\nrun-end out\n"

static const struct {
    const char *lines;
    bool begun, ended;
    const char *states; /* a letter per suite, with the number of crashes */
    const char *out;
} state_cases[] = {
    { "", false, false, "l0 l0 l0", "" },
    { GROUP, false, false, "l0 l0 l0", "" },
    { GROUP " #@H\n", false, false, "l0 l0 l0", "" },
    { BEGIN, true, false, "l0 l0 l0", "#@H\n" },
    { BEGIN "suite-begin col_a\n", true, false, "b0 l0 l0", "#@H\n" },
    { BEGIN "suite-begin col_a\nsuite-pass col_a 1\n", true, false, "l0 l0 l0", "#@H\n" },
    { BEGIN "suite-pass col_a 1\nsuite-again col_a\n", true, false, "b0 l0 l0", "#@H\n" },
    { BEGIN "suite-begin col_ab\n" END("col_ab"), true, false, "l0 d0 l0", "#@H\n" BLOCK },
    { BEGIN "suite-begin p2p_c\nsuite-failed p2p_c x\n", true, false, "l0 l0 f0", "#@H\n" },
    { BEGIN "suite-skipped p2p_c x\n", true, false, "l0 l0 s0", "#@H\n" },
    { BEGIN "suite-begin p2p_c\nsuite-crashed p2p_c x\n", true, false, "l0 l0 l1", "#@H\n" },
    { BEGIN "suite-begin p2p_c\nsuite-unwritten p2p_c x\n", true, false, "l0 l0 l0", "#@H\n" },
    { BEGIN "suite-crashed p2p_c\nsuite-begin p2p_c\nsuite-crashed p2p_c\n", true, false,
      "l0 l0 l2", "#@H\n" },
    /* lines of results count only with the line that they belong to */
    { BEGIN " #a\n 1 2\n", true, false, "l0 l0 l0", "#@H\n" },
    { BEGIN " #a\nrun-resume out\n" END("col_a"), true, false, "d0 l0 l0", "#@H\n" BLOCK },
    { BEGIN " #a\n 1 2\nsuite-end col_", true, false, "l0 l0 l0", "#@H\n" },
    /* a suite is complete once, even if its sync failed */
    { BEGIN END("col_a") "suite-unwritten col_a x\n" END("col_a"), true, false, "d0 l0 l0",
      "#@H\n" BLOCK },
    { BEGIN END("nobody") END("col_a") TRAILER, true, true, "d0 l0 l0",
      "#@H\n" BLOCK BLOCK "#end\n" },
    { BEGIN END("col_a") "suite-verified 4 #b\n", true, false, "d0 l0 l0", "#@H\n#b\n1 2\n" },
};

TEST(test_states)
{
    EACH(row, state_cases) {
        char states[64] = "";
        struct err e = { "" };
        LOCAL(journal) h;
        if (read_lines(&h, row->lines, &e) != 0)
            fail_msg("%s: %s", row->lines, e.text);
        for (size_t n = 0; n < start.count; n++)
            snprintf(states + strlen(states), sizeof(states) - strlen(states), "%s%c%d",
                     n == 0 ? "" : " ", "lbdfsg"[h.suites[n].state], h.suites[n].crashes);
        assert_string_equal(states, row->states);
        assert_string_equal(text_get(&h.out), row->out);
        assert_true(h.begun == row->begun && h.ended == row->ended);
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
    LOCAL(journal) h;
    assert_int_equal(read_lines(&h, lines, NO_ERR), 0);
    const struct past *a = &h.suites[0], *c = &h.suites[2];
    assert_string_equal(text_get(&a->passes), "1\n~2\n~3\n");
    assert_string_equal(text_get(&c->passes), "2\n~3\n");
    assert_int_equal(journal_passes(&h, 0), 1);
    assert_string_equal(a->hung, "argument 4 was not finished");
    assert_string_equal(c->hung, "argument 8 took too long");
    assert_true(a->state == SUITE_BEGUN && a->hangs == 0 && c->state == SUITE_LEFT &&
                c->hangs == 1);
}

TEST(test_identity)
{
    static const char lines[] = BEGIN "run-processes 16 n3:16\n"
                                      "run-visits 5 00000000000000fe\nmerge-begin out\n";
    LOCAL(journal) h;
    assert_int_equal(read_lines(&h, lines, NO_ERR), 0);
    assert_int_equal(h.fingerprint, 0xff);
    assert_int_equal(h.processes, 16);
    assert_string_equal(h.hosts, "n3:16");
    assert_true(h.visits_len == 5 && h.visits_hash == 0xfe && h.merging);
    journal_release(&h);
    assert_int_equal(
        read_lines(&h, BEGIN "run-visits 5 00000000000000fe\nrun-resume out\n", NO_ERR), 0);
    assert_int_equal(h.visits_len, 0);
}

static const struct damage_case {
    const char *lines;
    int line;
} damage_cases[] = {
    { BEGIN "hello\n", 5 },
    { "hello\n", 1 },
    { "note x\n", 1 },
    { " #@H\n\n", 2 },
    { "run-parameters 00000000000000fg\n", 1 },
    { "run-processes many\n", 1 },
    { "run-processes 0 a\n", 1 },
    { "run-processes 99999999999 a\n", 1 },
    { "run-shuffle 0\n", 1 },
    { "run-shuffle 2147483648\n", 1 },
    { "run-shuffle 7 8\n", 1 },
    { "run-begin out\n", 1 },
    { "run-end out\n", 1 },
    { BEGIN "run-visits 5 x\n", 5 },
    { BEGIN "suite-verified 2 #b\n", 5 },
    { BEGIN "suite-verified 0 #@longer\n", 5 },
    { BEGIN "suite-verified x #@H\n", 5 },
};

static void check_damage(const char *journal, size_t len, int line)
{
    char expected[256];
    struct err e = { "" };
    LOCAL(journal) h;
    assert_int_equal(read_bytes(&h, journal, len, &e), -1);
    snprintf(expected, sizeof(expected),
             "'out.journal' is damaged in line %d; repair it, or start with --fresh, which keeps "
             "it under another name",
             line);
    assert_string_equal(e.text, expected);
}

TEST(test_damage)
{
    EACH(c, damage_cases) {
        LOCAL_STRING journal = as_journal(c->lines);
        check_damage(journal, strlen(journal), c->line);
    }
    static const char zeros[] = "2026-01-31T23:59:59Z run-shuffle \0\0\0\n";
    check_damage(zeros, sizeof(zeros) - 1, 1);
}

/* With arbitrary bytes, the reader neither crashes nor reads too far. */
TEST(test_any_bytes)
{
    LOCAL_STRING journal = as_journal(
        BEGIN END("col_a") "suite-verified 4 #b\nrun-visits 5 00000000000000fe\n" TRAILER);
    size_t len = strlen(journal);
    unsigned random = 1;
    for (int i = 0; i < 20000; i++) {
        struct err e = { "" };
        LOCAL(journal) h;
        random = random * 1664525u + 1013904223u;
        char *at = &journal[(random >> 8) % len], kept = *at;
        *at = (char)(random >> 24);
        int rc = read_bytes(&h, journal, len, &e);
        assert_true(rc == 0 || strstr(e.text, "is damaged in line") != NULL);
        *at = kept;
    }
}
