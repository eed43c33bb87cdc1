#include "../test.h"
#include "../text_files.h"

#include "health/baseline.h"

#define FIRST "@BASELINE 2 time\n"
#define RUNS  FIRST "@RUN 86400 a {}\n@RUN 0 b,c {\"x\":1}\n@SUITE s {}\n"

#define OTHER                                                                                      \
    "'f' is no baseline of this version; skampi compare --save or skampi health --save writes one"
#define NO_RUN "f:2: expected '@RUN SECONDS HOST,HOST,...'; save the baseline again"
#define NO_VALUES                                                                                  \
    "f:5: expected 'ARGUMENT KIND' and a value of each of 2 runs; save the baseline again"
#define NO_SUITE                                                                                   \
    ": expected @RUN, @SUITE, and then rows with a value of each run; save the baseline again"

TEST(test_bad)
{
    static const struct {
        const char *text, *error;
    } rows[] = {
        { "", OTHER },
        { "# skampi health baseline 1\n* long 5 6\n", OTHER },
        { "@BASELINE 3 time\n", OTHER },
        { FIRST, "f: no rows; save the baseline again" },
        { FIRST "@RUN a b {}\n", NO_RUN },
        { FIRST "@RUN -1 b {}\n", NO_RUN },
        { FIRST "@RUN 5\n", NO_RUN },
        { FIRST "8 time 1\n", "f:2" NO_SUITE },
        { FIRST "@RUN 5 a {}\n8 time 1\n", "f:3" NO_SUITE },
        { RUNS "8 time 1\n", NO_VALUES },
        { RUNS "8 time 1 2 3\n", "f:5" NO_SUITE },
        { RUNS "8\n", NO_VALUES },
        { RUNS "8 time 1 0\n", NO_VALUES },
        { RUNS "8 time 1 inf\n", NO_VALUES },
        { RUNS "8 time 1 -2\n", NO_VALUES },
        { RUNS "8 time 1 2x\n", NO_VALUES },
    };
    EACH(c, rows) {
        LOCAL(baseline) b;
        struct err e = { "" };
        assert_int_equal(baseline_take(&b, "f", strdup(c->text), &e), -1);
        assert_string_equal(e.text, c->error);
    }
}

TEST_IN_DIRECTORY(test_file)
{
    static const char bytes[] = RUNS "8 time 1 2\n\0 9";
    LOCAL(baseline) b;
    LOCAL(baseline) none;
    struct err e = { "" };
    FILE *f = fopen("f", "w");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, sizeof(bytes), f), sizeof(bytes));
    assert_int_equal(fclose(f), 0);
    assert_int_equal(baseline_read(&b, "f", &e), -1);
    assert_string_equal(e.text, "'f' is no baseline: it has a byte 0");
    assert_int_equal(baseline_read(&none, "none", &e), -1);
}

TEST(test_read)
{
    LOCAL(baseline) b;
    struct err e = { "" };
    struct usual u;
    LOCAL_TEXT size = { 0 };
    static const char text[] = FIRST "@CLASS PROCESSES 2\n@RUN 86400 a {}\n@RUN 0 b,c {}\n"
                                     "@RUN 172800 a {}\n@SUITE s {}\n@ASKED s { Type = 1; }\n"
                                     "8 time 1 - 4\n- mean - - -\n@SUITE t {}\n8 time 9 9 9\n";
    assert_int_equal(baseline_take(&b, "f", strdup(text), &e), 0);
    assert_string_equal(b.lines[0].fact, "PROCESSES");
    assert_string_equal(b.lines[0].text, "2");
    assert_string_equal(b.lines[1].suite, "s");
    assert_string_equal(b.lines[1].text, "s { Type = 1; }");
    baseline_add_size(&b, 5 * 86400.0, &size);
    assert_string_equal(text_get(&size), "3 runs, 3 hosts, 4 days");
    assert_true(baseline_usual(&b, "s", "8", "time", &u));
    assert_int_equal(u.runs, 2);
    assert_true(fabs(u.middle - 2.0) < 1e-9 && isnan(u.deviation)); /* on the log scale */
    assert_true(fabs(log2(u.low) - 0.2) < 1e-9 && fabs(log2(u.high) - 1.8) < 1e-9);
    assert_false(baseline_usual(&b, "s", "-", "mean", &u));
    assert_false(baseline_usual(&b, "s", "9", "time", &u));
    assert_true(baseline_usual(&b, "t", "8", "time", &u));
    assert_true(fabs(u.middle - 9.0) < 1e-9);
}

static struct usual usual_of(const char *hosts, const double *values)
{
    LOCAL(baseline) b;
    LOCAL_TEXT text = { 0 };
    struct err e = { "" };
    struct usual u;
    text_add(&text, FIRST);
    for (size_t i = 0; i < strlen(hosts); i++)
        text_add(&text, "@RUN 5 %c {}\n", hosts[i]);
    text_add(&text, "@SUITE s {}\n- time");
    for (size_t i = 0; i < strlen(hosts); i++)
        text_add(&text, " %.17g", values[i]);
    text_add(&text, "\n");
    assert_int_equal(baseline_take(&b, "f", strdup(text_get(&text)), &e), 0);
    assert_true(baseline_usual(&b, "s", "-", "time", &u));
    return u;
}

/* Limits by hand, from tables of Student's t. With one run a host, the deviation is that of the
 * values times the root of 1 + 1 / n; else the means of hosts and what is within them count. */
TEST(test_interval)
{
    static const double values[] = { 1, 2, 1, 2, 1, 2, 1, 2, 1 };
    static const double by_host[] = { 1, 1, 1, 2, 2, 2, 1, 1, 1 };
    struct usual u = usual_of("abcdefgh", values);
    const double sd = log(2.0) * sqrt(2.0 / 7.0) * sqrt(9.0 / 8.0), middle = 0.5 * log(2.0);
    assert_int_equal(u.freedom, 7);
    assert_true(fabs(u.deviation - sd) < 1e-12);
    const double t_5 = 2.364624, t_01 = 5.407883; /* 7 degrees of freedom, 5 % and 0.1 % */
    assert_true(usual_times(&u, exp(middle + 1.0001 * t_5 * sd), 0.05) > 0.0);
    assert_true(usual_times(&u, exp(middle + 0.9999 * t_5 * sd), 0.05) == 0.0);
    assert_true(usual_times(&u, exp(middle - 1.0001 * t_01 * sd), 0.001) > 0.0);
    assert_true(usual_times(&u, exp(middle - 0.9999 * t_01 * sd), 0.001) == 0.0);
    u = usual_of("aaabbbccc", by_host);
    assert_int_equal(u.freedom, 2);
    assert_true(fabs(u.deviation - log(2.0) * sqrt(1.0 / 3.0) * sqrt(4.0 / 3.0)) < 1e-6);
    const double t_2 = 4.302653; /* 2 degrees of freedom, 5 % */
    assert_true(usual_times(&u, exp(u.mean + 1.0001 * t_2 * u.deviation), 0.05) > 0.0);
    assert_true(usual_times(&u, exp(u.mean + 0.9999 * t_2 * u.deviation), 0.05) == 0.0);
    assert_true(isnan(usual_of("abcdefg", values).deviation));  /* 7 runs */
    assert_true(isnan(usual_of("aaaabbbb", values).deviation)); /* 2 hosts */
}

/* Without any spread, only a difference that matters is beyond. */
TEST(test_matters)
{
    static const double same[] = { 2, 2, 2, 2, 2, 2, 2, 2 };
    struct usual u = usual_of("abcabcab", same);
    assert_true(usual_times(&u, 2.09, 0.05) == 0.0);
    assert_true(fabs(usual_times(&u, 2.2, 0.05) - 1.1) < 1e-9);
    assert_true(fabs(usual_times(&u, 1.0, 0.05) - 0.5) < 1e-9);
    assert_true(fabs(usual_level(1) - 0.05) < 1e-12);
    assert_true(fabs(pow(1.0 - usual_level(980), 980.0) - 0.95) < 1e-9);
}
