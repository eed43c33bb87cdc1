#include "../test.h"
#include "../text_files.h"

#include "health/health_report.h"

#define FIRST "# skampi health baseline 1\n"

static const char *const names[] = { "a", "b" };

TEST(test_read)
{
    static const struct {
        const char *text;
        double first, second; /* us of long messages that a and b receive; 0: unknown */
        const char *error;    /* NULL: none */
    } rows[] = {
        { FIRST "* long 5 6\n", 6.0, 6.0, NULL },
        { FIRST "* long 5 6\nb long 7 8\n", 6.0, 8.0, NULL },
        { FIRST "b long 7 8\n* long 5 6\n", 6.0, 8.0, NULL },
        { FIRST "# comment\nc long 1 2\n* allreduce 3 3\n", 0.0, 0.0, NULL },
        { "long 5 6\n", 0.0, 0.0, "'f' is no baseline; --save writes one" },
        { FIRST "* long 5\n", 0.0, 0.0,
          "f:2: expected 'HOST KIND MICROSECONDS MICROSECONDS', got '* long 5'; --save writes a "
          "new baseline" },
        { FIRST "* long 5 6\n* long 5 0\n", 0.0, 0.0,
          "f:3: expected 'HOST KIND MICROSECONDS MICROSECONDS', got '* long 5 0'; --save writes a "
          "new baseline" },
        { FIRST "* short 5 6\n", 0.0, 0.0,
          "f:2: 'short' is no kind of measurement; --save writes a new baseline" },
    };
    EACH(c, rows) {
        LOCAL(health) h;
        struct health_run run = { .baseline_allreduce_us = NAN };
        struct err e = { "" };
        LOCAL_STRING text = strdup(c->text);
        assert_int_equal(health_init(&h, 2, names, &e), 0);
        assert_int_equal(health_baseline_read(&h, &run, "f", text, &e), c->error == NULL ? 0 : -1);
        assert_string_equal(e.text, c->error == NULL ? "" : c->error);
        const double expected[] = { c->first, c->second };
        for (int k = 0; k < 2 && c->error == NULL; k++) {
            double found = exp(h.baseline[HEALTH_LONG][1][k]);
            assert_true(expected[k] > 0.0 ? fabs(found - expected[k]) < 1e-9 : isnan(found));
        }
    }
}

/* Two hosts with equal times. */
static void fill(struct health *h, double us)
{
    for (int i = 0; i < 2; i++)
        h->us[HEALTH_LONG][i * 2 + 1 - i] = h->us[HEALTH_LATENCY][i * 2 + 1 - i] = us;
}

/* A saved baseline names hosts that have become slower, and no others. */
TEST_IN_DIRECTORY(test_since)
{
    static const struct {
        double factor;
        int expected; /* number of hosts that are slower */
    } rows[] = { { 1.0, 0 }, { 1.2, 0 }, { 1.6, 2 } };
    struct health h;
    struct health_run run = { .allreduce_us = 3.0 };
    struct err e = { "" };
    static const char *const others[] = { "other", "link", "dangling", "pipe", "below" };
    LOCAL_TEXT text = { 0 };
    assert_int_equal(health_init(&h, 2, names, &e), 0);
    fill(&h, 100.0);
    assert_int_equal(health_find(&h, 8, &e), 0);
    health_baseline_add(&text, &h, &run);
    assert_int_equal(health_baseline_write("base", &text, &e), 0);
    assert_int_equal(health_baseline_write("base", &text, &e), 0); /* replaces its own */
    health_release(&h);
    EACH(c, rows) {
        LOCAL_STRING own = strdup(text_get(&text));
        assert_int_equal(health_init(&h, 2, names, &e), 0);
        assert_int_equal(health_baseline_read(&h, &run, "base", own, &e), 0);
        assert_true(run.baseline_allreduce_us == 3.0);
        fill(&h, 100.0 * c->factor);
        assert_int_equal(health_find(&h, 8, &e), 0);
        for (int l = 0; l < h.look_count; l++)
            for (int v = 0; v < HEALTH_VISITS; v++)
                for (int k = 0; k < PAIR_VALUES; k++)
                    h.looks[l].us[v][k] = 100.0 * c->factor;
        assert_int_equal(health_judge(&h, NO_ERR), 0);
        int slower = 0;
        for (int k = 0; k < h.suspect_count; k++)
            slower += h.suspects[k].fault == FAULT_BASELINE;
        assert_int_equal(slower, c->expected);
        health_release(&h);
    }
    write_text("other", "precious");
    assert_int_equal(symlink("base", "link") | symlink("none", "dangling"), 0);
    assert_int_equal(mkfifo("pipe", 0600) | mkdir("below", 0700), 0);
    for (size_t i = 0; i < COUNT(others); i++) {
        char expected[80];
        struct stat before, after;
        snprintf(expected, sizeof(expected),
                 "'%s' exists and is no baseline; remove it, or save another file", others[i]);
        e.text[0] = '\0';
        assert_int_equal(lstat(others[i], &before), 0);
        assert_int_equal(health_baseline_write(others[i], &text, &e), -1);
        assert_string_equal(e.text, expected);
        assert_int_equal(lstat(others[i], &after), 0);
        assert_int_equal(before.st_ino, after.st_ino);
    }
}
