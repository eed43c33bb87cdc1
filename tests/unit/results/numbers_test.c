#include "../test.h"

#include "results/row_text.h"

static const struct number_case {
    const char *word;
    bool ok;
    double number;
} number_cases[] = {
    { "0", true, 0 },        { "-0.5", true, -0.5 },  { "+.5", true, 0.5 },
    { "5.", true, 5 },       { "1e3", true, 1000 },   { "1.5E-1", true, 0.15 },
    { "nan", true, NAN },    { "-INF", true, NAN },   { "+infinity", true, NAN },
    { "1e309", true, NAN },  { "-1e309", true, NAN }, { "1e-400", true, 0 },
    { "", false, 0 },        { "-", false, 0 },       { ".", false, 0 },
    { "e5", false, 0 },      { "1e", false, 0 },      { "1e+", false, 0 },
    { "0x1", false, 0 },     { "1,5", false, 0 },     { "nanx", false, 0 },
    { "infinit", false, 0 }, { "--1", false, 0 },     { "1.2.3", false, 0 },
    { "nan(1)", false, 0 },  { "0x1p3", false, 0 },   { "1e5e5", false, 0 },
};

TEST(test_words)
{
    EACH(c, number_cases) {
        double number;
        if (number_read(c->word, strlen(c->word), &number) != c->ok)
            fail_msg("'%s'", c->word);
        if (c->ok && !(isnan(c->number) ? isnan(number) : number == c->number))
            fail_msg("'%s' is read as %g", c->word, number);
    }
}

/* Bytes after the word are not read. */
TEST(test_end_of_word)
{
    double number;
    assert_true(number_read("125e3", 3, &number) && number == 125);
    assert_true(number_read("1e5", 1, &number) && number == 1);
    assert_false(number_read("1e5", 2, &number));
    assert_true(number_read("nanx", 3, &number));
}

TEST(test_counts)
{
    assert_true(number_is_count(0) && number_is_count(7) && number_is_count(9e15));
    assert_false(number_is_count(-1) || number_is_count(0.5) || number_is_count(NAN) ||
                 number_is_count(1e17) || number_is_count(INFINITY));
}
