#include "../reading.h"

#include "stats/visit_length.h"

/* A ping-pong of this many lengths, with five visits. */
static void read_suite(struct params *p, const char *sections, int lengths, const char *fields)
{
    read_formatted(p,
                   VERSION
                   "%s@MEASUREMENTS\nA { Type = 1; Variation = Length; Scale = Fixed_linear; "
                   "Start_Argument = 4; Stepwidth = 4; End_Argument = %d; "
                   "Parameters = \"passes=5\"; %s }\n",
                   sections, 4 * lengths, fields);
}

/* All visits together last 1.5 s, but each at least 0.3 and at most 150 ms. 80 % of @TIMERUN,
 * without the start, are shared among the suites, and in each among its lengths. */
TEST(test_visits_and_the_time_of_a_run)
{
    static const struct {
        const char *sections;
        int lengths;
        const char *fields;
        double visit_ms, row_ms;
    } rows[] = {
        { "", 1, "", 150, 0 },
        { "", 2, "", 150, 0 },
        { "", 20, "", 15, 0 },
        { "", 200, "", 1.5, 0 },
        { "", 1000, "", 0.3, 0 },
        { "@TIMERUN 1\n", 10, "", 30, 4750 - 3.5 },
        { "@TIMERUN 1\n", 10, "Time_Measurement = 1;", 30, 4750 - 3.5 },
        { "@TIMERUN 1\n", 10, "Time_Measurement = 0.01;", 30, 600 },
        { "@TIMERUN 1\n", 100000, "", 0.3, 0.5 },
    };
    EACH(c, rows) {
        LOCAL(params) p;
        read_suite(&p, c->sections, c->lengths, c->fields);
        double visit_ms = 1e3 * outlook_of(&p, 2).visit_s;
        visits_share_time(&p, 2);
        double row_ms = 60e3 * p.suites[0].time_measurement_minutes;
        if (!(fabs(visit_ms - c->visit_ms) < 1e-9 && fabs(row_ms - c->row_ms) < 1e-9))
            fail_msg("%d lengths: visits of %g ms, rows of %g ms", c->lengths, visit_ms, row_ms);
    }
}

/* A row takes 5 ms before its repetitions of 20 us and 0.1 ns a byte. They last five visits or as
 * long as the accuracy needs, but no longer than a limit of time and the largest number. */
TEST(test_rows)
{
    static const struct {
        const char *fields;
        long bytes;
        double row_ms;
    } rows[] = {
        { "", 0, 5 + 20 * 0.02 },
        { "", 1000000, 5 + 20 * 0.22 },
        { "Max_Repetition = 100000;", 0, 5 + 5 * 150 },
        { "Max_Repetition = 1000000; Standard_error = 0.00005;", 0, 5 + 1.2 * 60000 * 0.02 },
        { "Max_Repetition = 100000; Time_Measurement = 0.001;", 0, 5 + 60 },
        { "Max_Repetition = 1000; Time_Measurement = 0.001;", 0, 5 + 20 },
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        LOCAL(params) p;
        read_suite(&p, "", 1, rows[i].fields);
        const struct outlook x = outlook_of(&p, 2);
        double row_ms = 1e3 * estimate_row_s(&x, &p.suites[0], rows[i].bytes);
        if (!(fabs(row_ms - rows[i].row_ms) < 1e-9))
            fail_msg("row %zu takes %g ms, not %g", i, row_ms, rows[i].row_ms);
    }
}

/* A suite of one length has as much time as one of four. */
TEST(test_time_of_suites)
{
    LOCAL(params) p;
    read_formatted(&p, VERSION
                   "@TIMERUN 1\n@MEASUREMENTS\n"
                   "A { Type = 1; Variation = Length; Parameters = \"arguments=4\"; }\n"
                   "B { Type = 1; Variation = Length; Parameters = \"arguments=4,8,12,16\"; }\n");
    visits_share_time(&p, 2);
    assert_true(fabs(60e3 * p.suites[0].time_measurement_minutes - (23750 - 3.5)) < 1e-9);
    assert_true(fabs(60e3 * p.suites[1].time_measurement_minutes - (23750 / 4.0 - 3.5)) < 1e-9);
}

TEST(test_least_number)
{
    static const struct {
        double accuracy, quantile;
        enum error_rule error;
        int expected;
    } rows[] = {
        { 0.01, 0.25, ERROR_WINSORISED, 300 }, { 0.03, 0.25, ERROR_WINSORISED, 100 },
        { 0.01, 0, ERROR_WINSORISED, 1200 },   { 0.03, 0, ERROR_WINSORISED, 400 },
        { 0.03, 0.02, ERROR_WINSORISED, 400 }, { 0.03, 0.03, ERROR_WINSORISED, 100 },
        { 0.07, 0.25, ERROR_WINSORISED, 43 },  { 1, 0.25, ERROR_WINSORISED, 12 },
        { 0.01, 0, ERROR_PAPER, 4 },           { 0.01, 0.25, ERROR_PAPER, 4 },
    };
    EACH(c, rows) {
        struct limits l = { .min_repetition = 4,
                            .max_repetition = 20,
                            .standard_error = c->accuracy,
                            .cut_quantile = c->quantile,
                            .error = c->error };
        assert_int_equal((int)limits_least(&l), c->expected);
    }
}

/* As many of the visits in 60 ms as get eight repetitions or 3 ms each, or a turn of the root. A
 * run that shares its time has at least two, as one has no error; none is longer than what is left.
 */
TEST(test_visits_are_fixed)
{
    static const struct {
        double touch_ms, repetition_ms;
        int turn, visits, least;
        double left_ms;
        int fixed;
        double each_ms;
    } rows[] = {
        { 0.1, 0.001, 1, 10, 0, 0, 10, 6 },   { 3, 10, 1, 10, 0, 0, 10, 6 },
        { 3.1, 10, 1, 10, 0, 0, 9, 60 / 9. }, { 12, 1.2, 1, 10, 0, 0, 4, 15 },
        { 5.6, 0.05, 1, 10, 0, 0, 10, 6 },    { 60, 20, 1, 10, 0, 0, 1, 60 },
        { 100, 100, 1, 10, 0, 0, 1, 60 },     { 1, 1, 16, 10, 0, 0, 3, 20 },
        { 0, 0.01, 16, 10, 0, 0, 10, 6 },     { 27, 9, 1, 10, 0, 0, 2, 30 },
        { 60, 20, 0, 10, 2, 0, 2, 30 },       { 60, 20, 0, 10, 2, 100, 2, 30 },
        { 60, 20, 0, 10, 2, 20, 2, 20 },      { 60, 20, 0, 1, 2, 100, 1, 60 },
    };
    EACH(c, rows) {
        struct limits l = { .time_s = 60e-3 / c->visits,
                            .visits = c->visits,
                            .turn = c->turn,
                            .visits_least = c->least,
                            .most_s = c->left_ms * 1e-3 };
        limits_fix_visits(&l, c->touch_ms * 1e-3, c->repetition_ms * 1e-3);
        if (l.visits != c->fixed || fabs(l.time_s * 1e3 - c->each_ms) > 1e-9)
            fail_msg("row %td: %d visits of %g ms", c - rows, l.visits, l.time_s * 1e3);
    }
}

/* Large messages of the operation itself touch their place, and with a limit of time all, whose
 * first visit then fixes how many there are. What is left of a run limits each. */
TEST(test_limits_of_a_visit)
{
    static const struct {
        struct visit visit;
        double minutes;
        int passes, visits, touches;
        bool fixes;
        double time_ms;
    } rows[] = {
        { { .most_s = INFINITY, .number = 4, .fixed = 2 }, 0, 5, 2, 0, false, 0 },
        { { .most_s = INFINITY, .length = 32768 }, 0, 5, 5, 2, false, 0 },
        { { .most_s = INFINITY, .length = 32768, .is_other = true }, 0, 5, 5, 0, false, 0 },
        { { .most_s = INFINITY }, 0.001, 5, 5, 2, false, 12 },
        { { .most_s = INFINITY }, 0.001, PASSES_AUTO, 5, 2, true, 12 },
        { { .most_s = INFINITY, .fixed = 3 }, 0.001, PASSES_AUTO, 3, 2, false, 20 },
        { { .most_s = 0.001 }, 0.001, PASSES_AUTO, 5, 2, false, 1 },
    };
    EACH(c, rows) {
        LOCAL(params) p;
        read_suite(&p, "", 1, "Max_Repetition = 20;");
        p.suites[0].options.passes = c->passes;
        p.suites[0].time_measurement_minutes = c->minutes;
        const struct limits l = visit_limits(&p, &p.suites[0], 2, &c->visit);
        if (l.visits != c->visits || l.max_repetition != 4 || l.touches != c->touches ||
            l.fixes_visits != c->fixes || fabs(1e3 * l.time_s - c->time_ms) > 1e-9)
            fail_msg("row %td: %d visits of %g ms", c - rows, l.visits, 1e3 * l.time_s);
    }
}
