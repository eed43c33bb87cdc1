#include "../test.h"
#include "../text_files.h"

#include "health/health_report.h"

#define FIRST "@BASELINE 2 time\n@RUN 5 a,b {}\n@RUN 6 a,c {}\n@SUITE health {}\n"

static const char *const names[] = { "a", "b" };

/* The usual value of a host is the median of the runs. */
TEST(test_use)
{
    static const struct {
        const char *text;
        double first, second; /* us of long messages that a and b receive; 0: unknown */
        const char *error;    /* NULL: none */
    } rows[] = {
        { FIRST "* long.receives 4 9\n", 6.0, 6.0, NULL },
        { FIRST "* long.receives 6 -\nb long.receives 2 32\n", 6.0, 8.0, NULL },
        { FIRST "b long.receives - 8\n* long.receives 6 6\n", 6.0, 8.0, NULL },
        { FIRST "c long.receives 1 2\n* long.sends 3 3\n* allreduce 3 3\n", 0.0, 0.0, NULL },
        { FIRST "* short.sends 5 6\n", 0.0, 0.0,
          "'f' has nothing that skampi health measures; skampi health --save writes a baseline "
          "that has" },
    };
    EACH(c, rows) {
        LOCAL(health) h;
        LOCAL(baseline) b;
        struct health_run run = { .baseline = "f", .usual = { NAN, NAN, NAN } };
        struct err e = { "" };
        health_init(&h, 2, names);
        assert_int_equal(baseline_take(&b, "f", strdup(c->text), &e), 0);
        assert_int_equal(health_baseline_use(&h, &run, &b, &e), c->error == NULL ? 0 : -1);
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
    struct health_run run = { .together = { 3.0, 400.0, NAN } };
    struct err e = { "" };
    static const char *const others[] = { "other", "link", "dangling", "pipe", "below" };
    LOCAL_TEXT text = { 0 };
    health_init(&h, 2, names);
    fill(&h, 100.0);
    health_find(&h, 8);
    health_baseline_add(&text, &h, &run, "@CLASS HARDWARE 8 CPUs\n");
    assert_int_equal(health_baseline_write("base", &text, &e), 0);
    assert_int_equal(health_baseline_write("base", &text, &e), 0); /* replaces its own */
    health_release(&h);
    EACH(c, rows) {
        LOCAL(baseline) b;
        health_init(&h, 2, names);
        assert_int_equal(baseline_read(&b, "base", &e), 0);
        assert_string_equal(b.lines[0].text, "8 CPUs");
        assert_int_equal(health_baseline_use(&h, &run, &b, &e), 0);
        assert_true(fabs(run.usual.allreduce_us - 3.0) + fabs(run.usual.halves_us - 400.0) < 1e-9);
        fill(&h, 100.0 * c->factor);
        health_find(&h, 8);
        for (int l = 0; l < h.look_count; l++)
            for (int v = 0; v < HEALTH_VISITS; v++)
                for (int k = 0; k < PAIR_VALUES; k++)
                    h.looks[l].us[v][k] = 100.0 * c->factor;
        health_judge(&h);
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
