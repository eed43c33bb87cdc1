#include "../test.h"

#include "base/text.h"

TEST(test_empty)
{
    LOCAL_TEXT t = { 0 };
    assert_string_equal(text_get(&t), "");
    char *s = text_take(&t);
    assert_string_equal(s, "");
    free(s);
    text_add(&t, "%s", "");
    assert_string_equal(text_get(&t), "");
    assert_int_equal(t.len, 0);
    text_release(&t);
}

TEST(test_grows)
{
    enum { ADDED = 10000 };
    struct text t = { 0 };
    for (int i = 0; i < ADDED; i++) {
        text_add(&t, "%04d;", i);
        assert_int_equal(t.len, 5 * (i + 1));
        assert_int_equal(t.s[t.len], '\0');
    }
    assert_memory_equal(text_get(&t), "0000;0001;", 10);
    assert_string_equal(text_get(&t) + 5 * (ADDED - 1), "9999;");
    text_release(&t);
    assert_null(t.s);
    assert_int_equal(t.len + t.capacity, 0);
}

/* Around the sizes at which it grows: the NUL must fit, too. */
TEST(test_every_length)
{
    char bytes[300];
    memset(bytes, 'x', sizeof(bytes));
    for (size_t len = 0; len < sizeof(bytes); len++) {
        LOCAL_TEXT t = { 0 }, printed = { 0 };
        text_add_bytes(&t, bytes, len);
        text_add(&printed, "%.*s", (int)len, bytes);
        assert_int_equal(strlen(text_get(&t)), len);
        assert_string_equal(text_get(&t), text_get(&printed));
    }
}

TEST(test_bytes_may_be_nul)
{
    LOCAL_TEXT t = { 0 };
    text_add_bytes(&t, "a\0b", 3);
    text_add(&t, "c");
    assert_int_equal(t.len, 4);
    assert_memory_equal(t.s, "a\0bc", 5);
}

TEST(test_take_leaves_nothing)
{
    LOCAL_TEXT t = { 0 };
    text_add(&t, "one");
    LOCAL_STRING s = text_take(&t);
    assert_string_equal(s, "one");
    assert_string_equal(text_get(&t), "");
    text_add(&t, "two");
    assert_string_equal(s, "one");
    assert_string_equal(text_get(&t), "two");
}

TEST(test_same)
{
    static const struct {
        const char *a;
        size_t len; /* of a, for text_same_n */
        const char *b;
        bool same_n, same;
    } rows[] = {
        { "", 0, "", true, true },
        { "Length", 6, "Length", true, true },
        { "LENGTH", 6, "length", true, true },
        { "azAZ", 4, "AZaz", true, true },
        { "Length", 6, "Lengths", false, false },
        { "Lengths", 7, "Length", false, false },
        { "Lengths", 6, "Length", true, false },
        { "Length = 4", 6, "length", true, false },
        { "Length", 0, "Length", false, true },
        { "Length", 0, "", true, false },
        { "", 0, "x", false, false },
        { "a\0b", 3, "a", false, true },
        { "a\0b", 3, "a\0b", false, true }, /* the second one ends there */
        /* neighbours of the letters, 32 apart */
        { "@", 1, "`", false, false },
        { "[", 1, "{", false, false },
        { "a_b", 3,
          "a\x7f"
          "b",
          false, false },
        /* only ASCII */
        { "\xc3\x84", 2, "\xc3\xa4", false, false },
        { "\xc3\xa4", 2, "\xc3\xa4", true, true },
    };
    EACH(c, rows) {
        if (text_same_n(c->a, c->len, c->b) != c->same_n)
            fail_msg("the first %zu of '%s', '%s'", c->len, c->a, c->b);
        if (text_same(c->a, c->b) != c->same)
            fail_msg("'%s', '%s'", c->a, c->b);
    }
}

#define TEN         "abcdefghij"
#define SIXTY_THREE TEN TEN TEN TEN TEN TEN "abc"

TEST(test_distance)
{
    static const struct {
        const char *a, *b;
        int limit, expected;
    } rows[] = {
        { "", "", 0, 0 },
        { "", "abc", 9, 3 },
        { "Length", "Length", 0, 0 },
        { "LENGTH", "length", 0, 0 },
        { "Lenght", "Length", 9, 2 }, /* two letters exchanged */
        { "Lngth", "Length", 9, 1 },
        { "Lenngth", "Length", 9, 1 },
        { "Lemgth", "Length", 9, 1 },
        { "kitten", "sitting", 9, 3 },
        { "abcdef", "bcdefa", 9, 2 },
        { "abc", "xyz", 3, 3 },
        { "abc", "xyz", 2, 3 },
        { "abc", "xyz", 0, 1 },
        { "a", "abcdefgh", 3, 4 },
        { SIXTY_THREE, SIXTY_THREE, 5, 0 },
        { SIXTY_THREE, SIXTY_THREE "d", 5, 6 }, /* too long for a name */
        { SIXTY_THREE "d", SIXTY_THREE "d", 5, 6 },
    };
    EACH(c, rows) {
        int there = text_distance(c->a, c->b, c->limit);
        int back = text_distance(c->b, c->a, c->limit);
        if (there != c->expected || back != there)
            fail_msg("'%s', '%s': %d and %d, expected %d", c->a, c->b, there, back, c->expected);
    }
}

static const char *const fields[] = { "Length", "Lengths", "Type", "Max_Steps", "Max_Distance" };

TEST(test_nearest)
{
    static const struct {
        const char *name, *expected; /* NULL: none is near */
    } rows[] = { { "Length", "Length" },
                 { "lengths", "Lengths" },
                 { "Lenght", "Length" }, /* the first of several equally near ones */
                 { "Typ", "Type" },
                 { "Tipe", "Type" },
                 { "MaxSteps", "Max_Steps" },
                 { "max_distanc", "Max_Distance" },
                 /* at most one edit in three or four letters, two in five, three in six */
                 { "Txx", NULL },
                 { "Tye", "Type" },
                 { "Txe", NULL },
                 { "Tyep", NULL },
                 { "Tyype", "Type" },
                 { "Lenxxx", "Length" },
                 { "Lexxxx", NULL },
                 { "Repetition", NULL },
                 { "Stepwidth", NULL },
                 { "", NULL },
                 { "x", NULL },
                 { SIXTY_THREE SIXTY_THREE, NULL } };
    EACH(c, rows) {
        const char *nearest = text_nearest(c->name, COUNT(fields), fields, sizeof(*fields));
        const char *is = nearest == NULL ? "(none)" : nearest;
        const char *expected = c->expected == NULL ? "(none)" : c->expected;
        if (strcmp(is, expected) != 0)
            fail_msg("'%s': %s, expected %s", c->name, is, expected);
    }
    assert_null(text_nearest("Length", 0, fields, sizeof(*fields)));
}

TEST(test_has)
{
    assert_true(text_has("col_MPI_Bcast", "bcast"));
    assert_true(text_has("col_MPI_Bcast", "COL_"));
    assert_true(text_has("aab", "ab"));
    assert_true(text_has("", ""));
    assert_true(text_has("a", ""));
    assert_false(text_has("col_MPI_Bcast", "bcasts"));
    assert_false(text_has("", "a"));
}

TEST(test_begins)
{
    assert_true(text_begins("FI_PROVIDER", "UCX_ FI_"));
    assert_true(text_begins("UCX_TLS", "UCX_ FI_"));
    assert_false(text_begins("FI_PROVIDER", "UCX_"));
    assert_false(text_begins("FI", "UCX_ FI_"));
}

/* A word that is the beginning or the end of another one is a word of its own. */
TEST(test_add_once)
{
    static const char *const words[] = { "n10", "n1", "n1", "n10", "1", "n1" };
    LOCAL_TEXT list = { 0 };
    for (size_t i = 0; i < COUNT(words); i++)
        assert_int_equal(text_add_once(&list, words[i], ", "), i == 0 || i == 1 || i == 4);
    assert_string_equal(text_get(&list), "n10, n1, 1");
}

/* A word may end in the last column; one that is a letter longer goes to the next line. */
TEST(test_wrapped)
{
    struct text t = { 0 };
    text_add(&t, "first line\n  ");
    text_add_wrapped(&t, "a  b ", 2);
    text_add_wrapped(&t, "", 2);
    assert_string_equal(text_get(&t), "first line\n  a b\n\n");
    text_release(&t);
    for (int extra = 0; extra <= 1; extra++) {
        char words[TEXT_COLUMNS + 1] = "aa ";
        memset(words + 3, 'x', (size_t)(TEXT_COLUMNS - 7 + extra));
        strcat(words, " b");
        text_add(&t, "name ");
        text_add_wrapped(&t, words, 5);
        assert_memory_equal(text_get(&t), "name aa\n     xxx", 16);
        assert_string_equal(strrchr(text_get(&t), 'x'), extra == 0 ? "x b\n" : "x\n     b\n");
        text_release(&t);
    }
}
