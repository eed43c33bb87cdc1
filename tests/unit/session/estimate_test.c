#include "../reading.h"

#include "session/estimate.h"

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

/* All visits together last 1.5 s, but each at least 0.3 and at most 150 ms. */
TEST(test_visits)
{
    static const struct {
        int lengths;
        double visit_ms;
    } rows[] = { { 1, 150 }, { 2, 150 }, { 20, 15 }, { 200, 1.5 }, { 1000, 0.3 } };
    EACH(c, rows) {
        LOCAL(params) p;
        read_suite(&p, "", c->lengths, "");
        double visit_ms = 1e3 * outlook_of(&p, 2).visit_s;
        if (!(fabs(visit_ms - c->visit_ms) < 1e-9))
            fail_msg("%d lengths: visits of %g ms", c->lengths, visit_ms);
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

/* 80 % of @TIMERUN, without the start, are shared among the suites, and in each among its lengths.
 */
TEST(test_time_of_a_run)
{
    static const struct {
        int lengths;
        const char *fields;
        double each_ms;
    } rows[] = {
        { 10, "", 47500 / 10.0 - 3.5 },
        { 10, "Time_Measurement = 1;", 47500 / 10.0 - 3.5 },
        { 10, "Time_Measurement = 0.01;", 600 },
        { 100000, "", 0.5 },
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        LOCAL(params) p;
        read_suite(&p, "@TIMERUN 1\n", rows[i].lengths, rows[i].fields);
        estimate_share_time(&p, 2);
        double each_ms = 60e3 * p.suites[0].time_measurement_minutes;
        if (!(fabs(each_ms - rows[i].each_ms) < 1e-9))
            fail_msg("row %zu: each has %g ms, not %g", i, each_ms, rows[i].each_ms);
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
    estimate_share_time(&p, 2);
    assert_true(fabs(60e3 * p.suites[0].time_measurement_minutes - (23750 - 3.5)) < 1e-9);
    assert_true(fabs(60e3 * p.suites[1].time_measurement_minutes - (23750 / 4.0 - 3.5)) < 1e-9);
}
