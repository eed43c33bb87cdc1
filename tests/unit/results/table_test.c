#include "../test.h"
#include "../fake_patterns.h"

#include "model/suite.h"
#include "results/table.h"

#include <math.h>

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
                           .options = { .window = 4, .sync = SYNC_FLUSH } };
}

static struct row row_of(long argument, double us, double error_us)
{
    return (struct row){ .argument = argument,
                         .length = argument,
                         .passes = 3,
                         .stats = { .cleaned = { 12, us, error_us } } };
}

static char *row_text(const struct suite *s, const struct row *r, unsigned marks, int visits)
{
    const struct block b = { .suite = s, .processes = 6 };
    const struct table_row row = { &b, r, marks, visits, 10 };
    struct text out = { 0 };
    table_add_row(&out, &row);
    return text_take(&out);
}

/* As many digits as the error permits; windows count, and calls per second where nothing is sent.
 */
TEST(rows)
{
    const struct suite length = suite_of(&bcast, VARY_LENGTH),
                       nodes = suite_of(&barrier, VARY_NODES),
                       window = suite_of(&stream, VARY_LENGTH);
    const struct {
        const struct suite *suite;
        struct row row;
        unsigned marks;
        int visits;
        const char *text;
    } cases[] = {
        { &length, row_of(1024, 3.21456, 0.0213), 0, 0,
          "      1024        3.215        0.021        318.6  \n" },
        { &length, row_of(1024, 3214.56, 213.4), MARK_CONTENDED | MARK_UNSTEADY, 2,
          "      1024         3215          213        0.319  !^  2 of 10 visits\n" },
        { &length, row_of(1024, 3.21456, NAN), 0, 0,
          "      1024        3.215            -        318.6  \n" },
        { &length, row_of(1024, NAN, NAN), MARK_EMPTY, 0,
          "      1024            -            -            -  -\n" },
        { &window, row_of(1024, 4.0, 0.04), 0, 0,
          "      1024        4.000        0.040         1024  \n" },
        { &nodes, row_of(2, 2.0, 0.1), MARK_CLOCK, 0,
          "         2         2.00         0.10       500000  *\n" },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        LOCAL_STRING text =
            row_text(cases[i].suite, &cases[i].row, cases[i].marks, cases[i].visits);
        assert_string_equal(text, cases[i].text);
    }
}

TEST(heads)
{
    const struct suite length = suite_of(&bcast, VARY_LENGTH),
                       nodes = suite_of(&barrier, VARY_NODES);
    const struct block blocks[] = { { .suite = &length }, { .suite = &nodes } };
    LOCAL_TEXT out = { 0 };
    table_add_suite(&out, &blocks[0]);
    table_add_suite(&out, &blocks[1]);
    assert_non_null(strstr(text_get(&out), "# syncol_A: the slowest process"));
    assert_non_null(
        strstr(text_get(&out), "\n#    bytes    time [us]   error [us]         MB/s  mark\n"));
    assert_non_null(
        strstr(text_get(&out), "\n#    nodes    time [us]   error [us]          1/s  mark\n"));
}

TEST(json)
{
    const struct suite length = suite_of(&bcast, VARY_LENGTH);
    const struct block b = { .suite = &length, .processes = 6 };
    const struct row row = row_of(1024, 4.0, NAN);
    const struct table_row r = { &b, &row, MARK_CONTENDED, 2, 10 };
    LOCAL_TEXT out = { 0 };
    table_add_json(&out, &r);
    table_add_json(&out, &r);
    const char *line =
        "{\"schema\":\"skampi-row/1\",\"suite\":\"syncol_A\",\"type\":47,\"operation\":"
        "\"MPI_Bcast\",\"variation\":\"length\",\"argument\":1024,\"argument_unit\":"
        "\"bytes\",\"time_us\":4,\"bandwidth_MBps\":256,\"count\":12,\"marks\":\"!\","
        "\"visits\":3,\"final\":false}\n";
    assert_int_equal(strncmp(text_get(&out), line, strlen(line)), 0);
    assert_string_equal(text_get(&out) + strlen(line), line);
}

TEST(marks)
{
    const struct suite s = suite_of(&bcast, VARY_LENGTH);
    const struct block b = { .suite = &s };
    struct row row = row_of(8, 10.0, 0.1);
    LOCAL_TEXT out = { 0 };
    assert_int_equal(row_marks(&b, &row, 0.5, 0.1), 0);
    assert_int_equal(row_marks(&b, &row, 1.1, 0.1), MARK_CLOCK); /* 10 % of 10 us were asked for */
    row.residual_us = 0.6;
    assert_int_equal(row_marks(&b, &row, 0.5, 0.1), MARK_CLOCK);
    assert_int_equal(row_marks(&b, &row, 0.5, 0.7), 0);
    row.contended = 1;
    row.shape.unsteady = true;
    assert_int_equal(row_marks(&b, &row, 0.5, 0.7), MARK_CONTENDED | MARK_UNSTEADY);
    row.stats.cleaned.count = 0;
    assert_true((row_marks(&b, &row, 0.5, 0.7) & MARK_EMPTY) != 0);
    table_add_marks(&out, MARK_CONTENDED | MARK_EMPTY);
    assert_string_equal(text_get(&out), "; ! processes waited for CPUs; - no valid repetition");
}
