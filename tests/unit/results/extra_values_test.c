#include "../test.h"

#include "results/extra_values.h"
#include "results/row_text.h"

static const struct extra_info info[] = {
    { "pack", "microsec.", "packing" },
    { "pack_more", "microsec.", "packing more" },
    { "rank", NULL, "who was slowest" },
    { NULL, NULL, NULL },
};

TEST(test_notes_are_read_back)
{
    struct extra_names n;
    LOCAL_TEXT notes = { 0 };
    text_add(&notes, "#@TIMEOF x\n# #@EXTRA no\n");
    extra_add_notes(&notes, info);
    assert_non_null(strstr(text_get(&notes), "#@EXTRA pack [microsec.] packing\n"));
    assert_non_null(strstr(text_get(&notes), "#@EXTRA rank who was slowest\n"));
    extra_read_notes(&n, text_get(&notes));
    assert_int_equal(n.count, 3);
    for (size_t i = 0; i < n.count; i++) {
        assert_string_equal(n.list[i].name, info[i].name);
        assert_int_equal(n.list[i].unit, info[i].unit == NULL ? 0 : *info[i].unit);
        assert_string_equal(n.list[i].name, info[i].name);
    }
}

/* A file may come from anywhere. */
TEST(test_odd_notes)
{
    struct extra_names n;
    char many[1024] = "";
    extra_read_notes(&n, "");
    assert_int_equal(n.count, 0);
    extra_read_notes(&n, "#@EXTRA \n#@EXTRA a=b c\n#@EXTRA\n#@EXTRAS x\n"
                         "#@EXTRA aaaaaaaaaabbbbbbbbbbccccccccccdd x\n#@EXTRA last");
    assert_int_equal(n.count, 1);
    assert_string_equal(n.list[0].name, "last");
    for (int i = 0; i < 20; i++)
        strcat(many, "#@EXTRA many x\n");
    extra_read_notes(&n, many);
    assert_int_equal(n.count, MAX_EXTRA);
}

TEST(test_values_are_read_back)
{
    static const struct extra_value values[] = { { 1.25, 0.5 }, { NAN, NAN }, { 3, NAN } };
    struct extra_names n;
    LOCAL_TEXT notes = { 0 }, row = { 0 };
    extra_add_notes(&notes, info);
    extra_read_notes(&n, text_get(&notes));
    text_add(&row, "# stop=time");
    for (size_t i = 0; i < n.count; i++)
        extra_add_value(&row, n.list[i].name, n.list[i].unit, &values[i]);
    assert_string_equal(text_get(&row), "# stop=time pack=1.250000 pack_error=0.500000 "
                                        "pack_more=nan pack_more_error=nan rank=3");
    for (size_t i = 0; i < n.count; i++) {
        struct extra_value v = extra_read_value(&n, i, text_get(&row));
        assert_true(v.value == values[i].value || isnan(values[i].value));
        assert_true(isnan(v.value) == isnan(values[i].value));
        assert_true(isnan(v.error) == isnan(values[i].error));
    }
}

TEST(test_numbers)
{
    static const struct {
        const char *text;
        double number;
    } rows[] = {
        { "# a=1", 1 },       { "#a=1", 1 },      { "#\ta=1\tb=2", 1 }, { "# ba=2 a=1", 1 },
        { "# a_b=2 a=1", 1 }, { "# a=1 a=2", 1 }, { "# a=1x", NAN },    { "# a=", NAN },
        { "# a =1", NAN },    { "# a=inf", NAN }, { "", NAN },          { "# b=a=1", NAN },
    };
    EACH(c, rows) {
        double number = row_read_number(c->text, "a");
        if (isnan(c->number) ? !isnan(number) : number != c->number)
            fail_msg("'%s': %g", c->text, number);
    }
}

TEST(test_shares)
{
    static const struct {
        struct extra_value v;
        char unit;
        const char *text;
    } rows[] = {
        { { 50, 10 }, '%', " x=50.000000 x_error=10.000000" },
        { { 50, 10.1 }, '%', " x=nan x_error=nan" },
        { { 50, NAN }, '%', " x=nan x_error=nan" },
        { { 50, 10.1 }, 'm', " x=50.000000 x_error=10.100000" },
    };
    EACH(c, rows) {
        LOCAL_TEXT row = { 0 };
        extra_add_value(&row, "x", c->unit, &c->v);
        assert_string_equal(text_get(&row), c->text);
    }
}

TEST(test_quotient)
{
    const struct {
        struct extra_value a, b, expected;
    } cases[] = {
        { { 30.0, 3.0 }, { 10.0, 1.0 }, { 300.0, 42.4264 } },
        { { 30.0, 3.0 }, { 10.0, 0.0 }, { 300.0, 30.0 } },
        { { 0.0, 1.0 }, { 10.0, 1.0 }, { 0.0, 10.0 } },
    };
    EACH(c, cases) {
        struct extra_value q = extra_quotient(100.0, c->a, c->b);
        assert_true(fabs(q.value - c->expected.value) < 1e-9);
        assert_true(fabs(q.error - c->expected.error) < 1e-4);
    }
}
