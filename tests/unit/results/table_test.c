#include "../test.h"
#include "../fake_patterns.h"

#include "model/suite.h"
#include "results/table.h"

static const struct type_info bcast = {
    .number = 47, .name = "MPI_Bcast", .pattern = &fake_syncol, .traits = TYPE_HAS_LENGTH
};
static const struct type_info barrier = { .number = 49,
                                          .name = "MPI_Barrier",
                                          .pattern = &fake_syncol };
static const struct type_info stream = { .number = 165,
                                         .name = "Stream",
                                         .pattern = &fake_p2p,
                                         .time = TIME_WINDOW,
                                         .traits = TYPE_HAS_LENGTH | TYPE_WINDOW };

static struct suite suite_of(const struct type_info *type, enum variation variation)
{
    return (struct suite){ .name = "A",
                           .type = type,
                           .variation = variation,
                           .standard_error = 0.1,
                           .cut_quantile = 0.25,
                           .options = { .window = 4, .sync = SYNC_FLUSH } };
}

static struct row row_of(long argument, double us, double error_us)
{
    return (struct row){ .argument = argument,
                         .length = argument,
                         .passes = 3,
                         .stats = { .cleaned = { 12, us, error_us },
                                    .all = { 24, 1.1 * us, 2.0 * error_us } } };
}

static char *row_text(const struct suite *s, const struct row *r, unsigned marks, int visits)
{
    const struct block b = { .suite = s, .processes = 6 };
    const struct table_row row = { &b, r, marks, visits, 10, NULL, 0.0 };
    struct text out = { 0 };
    table_add_row(&out, &row);
    return text_take(&out);
}

/* As many digits as the error permits; windows count, and calls per second where nothing is sent.
 */
TEST(rows)
{
    const struct suite length = suite_of(&bcast, VARY_LENGTH),
                       window = suite_of(&stream, VARY_LENGTH);
    struct suite nodes = suite_of(&barrier, VARY_NODES);
    nodes.cut_quantile = 0.0;
    const struct {
        const struct suite *suite;
        struct row row;
        unsigned marks;
        int visits;
        const char *text;
    } cases[] = {
        { &length, row_of(1024, 3.21456, 0.0213), 0, 0,
          "      1024       3.215     0.021       3.536     0.043       318.6  \n" },
        { &length, row_of(1024, 3214.56, 213.4), MARK_CONTENDED | MARK_UNSTEADY, 2,
          "      1024        3215       213        3536       427       0.319  !^  2 of 10 "
          "visits\n" },
        { &length, row_of(1024, 3.21456, NAN), 0, 0,
          "      1024       3.215         -       3.536         -       318.6  \n" },
        { &length, row_of(1024, 3.21456, 0.0), 0, 0,
          "      1024       3.215    <0.001       3.536    <0.001       318.6  \n" },
        { &length, row_of(1024, 3.21456, 1e-6), 0, 0,
          "      1024      3.2146   <0.0001      3.5360   <0.0001    318.5506  \n" },
        { &length, row_of(1024, 123456.789, 0.002), 0, 0,
          "      1024   123456.79     <0.01   135802.47     <0.01      0.0083  \n" },
        { &length, row_of(1024, 123456789.0, 2.0), 0, 0,
          "      1024   1.235e+08         2   1.358e+08         4   8.294e-06  \n" },
        { &length, row_of(1024, NAN, NAN), MARK_EMPTY, 0,
          "      1024           -         -           -         -           -  -\n" },
        { &window, row_of(1024, 4.0, 0.04), 0, 0,
          "      1024       4.000     0.040       4.400     0.080        1024  \n" },
        { &nodes, row_of(2, 2.0, 0.1), MARK_CLOCK, 0,
          "         2        2.00      0.10      500000  *\n" },
    };
    EACH(c, cases) {
        LOCAL_STRING text = row_text(c->suite, &c->row, c->marks, c->visits);
        assert_string_equal(text, c->text);
    }
}

/* If all times are below 1 us; the first row of two. */
TEST(nanoseconds)
{
    const struct suite s = suite_of(&bcast, VARY_LENGTH);
    struct row rows[] = { row_of(8, 0.25, 0.001), row_of(16, 0.5, 0.002) };
    const struct block b = { .suite = &s, .processes = 6, .rows = rows, .count = 2 };
    const struct table_row first = { &b, rows, 0, 0, 0, NULL, 0.0 };
    LOCAL_TEXT ns = { 0 }, us = { 0 };
    table_add_suite(&ns, &b);
    table_add_row(&ns, &first);
    assert_non_null(
        strstr(text_get(&ns),
               "\n#    bytes   time [ns]        +-   mean [ns]        +-        MB/s  mark\n"
               "         8       250.0       1.0       275.0       2.0       32.00  \n"));
    rows[1] = row_of(16, 1.0, 0.002);
    table_add_suite(&us, &b);
    table_add_row(&us, &first);
    assert_non_null(strstr(text_get(&us), " time [us] "));
    assert_non_null(strstr(text_get(&us), "\n         8      0.2500    0.0010 "));
}

/* In the table's unit, with three digits; the factor only beyond. */
TEST(usual)
{
    static const struct {
        double low, high, times;
        const char *text;
    } cases[] = {
        { 1.4712, 1.6099, 0.0, "  ^  usual 1.47 to 1.61\n" },
        { 1.4712, 16.099, 3.14, "  ^  usual 1.47 to 16.1; 3.1 times the usual\n" },
        { 1471.2, 16099.0, 0.0123, "  ^  usual 1471 to 16099; 0.012 times the usual\n" },
    };
    const struct suite s = suite_of(&bcast, VARY_LENGTH);
    struct row rows[] = { row_of(8, 5.0, 0.1) };
    const struct block b = { .suite = &s, .processes = 6, .rows = rows, .count = 1 };
    EACH(c, cases) {
        const struct usual u = { .runs = 8, .low = c->low, .high = c->high };
        const struct table_row r = { &b, rows, MARK_UNSTEADY, 0, 0, &u, c->times };
        LOCAL_TEXT out = { 0 };
        table_add_end(&out, &r);
        assert_string_equal(text_get(&out), c->text);
    }
}

TEST(heads)
{
    const struct suite length = suite_of(&bcast, VARY_LENGTH);
    struct suite nodes = suite_of(&barrier, VARY_NODES);
    const struct block blocks[] = { { .suite = &length }, { .suite = &nodes } };
    nodes.cut_quantile = 0.0;
    LOCAL_TEXT out = { 0 };
    table_add_suite(&out, &blocks[0]);
    table_add_suite(&out, &blocks[1]);
    assert_non_null(strstr(text_get(&out), "# syncol_A: the slowest process"));
    assert_non_null(
        strstr(text_get(&out),
               "\n#    bytes   time [us]        +-   mean [us]        +-        MB/s  mark\n"));
    assert_non_null(
        strstr(text_get(&out), "\n#processes   time [us]        +-         1/s  mark\n"));
}

/* One line for all suites, which says no more than holds for each; none where nothing is cut. */
TEST(meanings)
{
    const struct {
        double cuts[2];
        enum benchmark as;
        const char *text;
    } cases[] = {
        { { 0.25, 0.25 },
          BY_ITSELF,
          "# time: the middle half of all calls (Cut_Quantile 0.25); mean: all calls\n" },
        { { 0.25, 0.1 },
          BY_ITSELF,
          "# time: what Cut_Quantile, or estimate, leaves of all calls; mean: all calls\n" },
        { { 0.0, 0.0 }, BY_ITSELF, "" },
        { { 0.25, 0.25 }, BY_OSU, "" },
    };
    EACH(c, cases) {
        LOCAL_TEXT out = { 0 };
        struct suite s[] = { suite_of(&bcast, VARY_LENGTH), suite_of(&bcast, VARY_LENGTH) };
        for (int k = 0; k < 2; k++) {
            s[k].cut_quantile = c->cuts[k];
            s[k].options.as = c->as;
        }
        table_add_meaning(&out, s, 2);
        assert_string_equal(text_get(&out), c->text);
    }
}

TEST(json)
{
    const struct suite length = suite_of(&bcast, VARY_LENGTH);
    const struct block b = { .suite = &length, .processes = 6 };
    const struct row row = row_of(1024, 4.0, NAN);
    const struct table_row r = { &b, &row, MARK_CONTENDED, 2, 10, NULL, 0.0 };
    LOCAL_TEXT out = { 0 };
    table_add_json(&out, &r);
    table_add_json(&out, &r);
    const char *line =
        "{\"schema\":\"skampi-row/1\",\"suite\":\"syncol_A\",\"type\":47,\"operation\":"
        "\"MPI_Bcast\",\"variation\":\"length\",\"argument\":1024,\"argument_unit\":"
        "\"bytes\",\"time_us\":4,\"mean_us\":4.4,\"bandwidth_MBps\":256,\"count\":12,\"marks\":\"!"
        "\","
        "\"visits\":3,\"final\":false}\n";
    assert_int_equal(strncmp(text_get(&out), line, strlen(line)), 0);
    assert_string_equal(text_get(&out) + strlen(line), line);
}

TEST(json_says_why_a_row_has_no_value)
{
    const struct suite length = suite_of(&bcast, VARY_LENGTH);
    const struct block b = { .suite = &length, .processes = 6 };
    struct row row = row_of(1024, NAN, NAN);
    const struct table_row r = { &b, &row, MARK_EMPTY, 0, 0, NULL, 0.0 };
    LOCAL_TEXT out = { 0 };
    row.stats.cleaned.count = 0;
    table_add_json(&out, &r);
    assert_null(strstr(text_get(&out), "time_us"));
    assert_non_null(strstr(text_get(&out), "\"final\":true,\"why\":\"in every repetition, "));
}

/* Rows of 10 us and an accuracy of 10 %, with a tick of 0.1 us; ../shared/cases/marks.c has two. */
TEST(marks)
{
    const struct {
        int loop;
        double bound_us, residual_us, mean_us, mean_error_us;
        int contended, count;
        bool few_visits, unsteady;
        const char *text;
    } cases[] = {
        { 1, 0.9, 0.4, 10.0, 0.1, 0, 20, false, false, "" },
        { 1, 1.1, 0.0, 10.0, 0.1, 0, 20, false, false, " marks=*" },
        { 10, 1.1, 0.6, 10.0, 0.1, 0, 20, false, false, "" }, /* of an interval of ten calls */
        { 1, 0.0, 0.6, 10.0, 0.1, 0, 20, false, false, " marks=*" },
        { 1, 0.0, 0.0, 12.59, 0.1, 0, 20, false, false, "" },
        { 1, 0.0, 0.0, 12.61, 0.1, 0, 20, false, false, " marks=t" },
        { 1, 0.0, 0.0, 99.0, NAN, 0, 20, false, false, "" },
        { 1, 0.0, 0.0, 10.0, 0.1, 0, 20, true, false, " marks=v" },
        { 1, 0.0, 0.6, 10.0, 0.1, 1, 20, true, true, " marks=*!^v" },
        { 1, 0.0, 0.0, NAN, NAN, 1, 0, false, false, " marks=!-" },
    };
    EACH(c, cases) {
        struct suite s = suite_of(&bcast, VARY_LENGTH);
        const struct block b = { .suite = &s, .bound_us = c->bound_us, .least_us = 0.1 };
        struct row row = row_of(8, 10.0, 0.1);
        LOCAL_TEXT out = { 0 };
        s.options.loop = c->loop;
        row.few_visits = c->few_visits;
        row.residual_us = c->residual_us;
        row.contended = c->contended;
        row.shape.unsteady = c->unsteady;
        row.stats.cleaned.count = c->count;
        row.stats.all.mean_us = c->mean_us;
        row.stats.all.error_us = c->mean_error_us;
        row_add_marks(&out, row_marks(&b, &row));
        assert_string_equal(text_get(&out), c->text);
        assert_int_equal(row_read_marks(text_get(&out)), row_marks(&b, &row));
    }
}

TEST(meanings_of_marks)
{
    LOCAL_TEXT out = { 0 };
    table_add_marks(&out, MARK_CONTENDED | MARK_EMPTY);
    assert_string_equal(text_get(&out), "; ! processes waited for CPUs; - no valid repetition");
}
