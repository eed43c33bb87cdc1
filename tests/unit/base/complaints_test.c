#include "../test.h"

#include "base/complaints.h"
#include "base/text.h"

#include <time.h>

#define BYTES(s) s, sizeof(s) - 1
#define MARK     "\xef\xbb\xbf" /* byte order mark */
#define AE       "\xc3\xa4"
#define EURO     "\xe2\x82\xac"
#define SMILE    "\xf0\x9f\x98\x80"

static const struct place_case {
    const char *bytes;
    size_t len, offset;
    size_t line, column;
} place_cases[] = {
    { BYTES(""), 0, 1, 1 },
    { BYTES(""), 9, 1, 1 },
    { BYTES("abc"), 0, 1, 1 },
    { BYTES("abc"), 2, 1, 3 },
    { BYTES("abc"), 3, 1, 4 },
    { BYTES("abc"), 100, 1, 4 }, /* after the end */
    { BYTES("abc"), SIZE_MAX, 1, 4 },
    { BYTES("a\nb\n"), 1, 1, 2 },
    { BYTES("a\nb\n"), 2, 2, 1 },
    { BYTES("a\nb\n"), 4, 3, 1 },
    { BYTES("\n\n\nx"), 3, 4, 1 },
    { BYTES("\t\tx"), 2, 1, 3 }, /* a tab is one character */
    /* line ends of two bytes are one */
    { BYTES("a\r\nb\r\n"), 1, 1, 2 },
    { BYTES("a\r\nb\r\n"), 2, 1, 2 },
    { BYTES("a\r\nb\r\n"), 3, 2, 1 },
    { BYTES("a\r\nb\r\n"), 6, 3, 1 },
    { BYTES("\r\nb"), 1, 1, 1 },
    { BYTES("a\rb"), 2, 1, 3 }, /* alone it ends nothing */
    { BYTES("a\n\rb"), 3, 2, 2 },
    /* characters, not bytes */
    { BYTES(AE EURO SMILE "x"), 2, 1, 2 },
    { BYTES(AE EURO SMILE "x"), 5, 1, 3 },
    { BYTES(AE EURO SMILE "x"), 9, 1, 4 },
    { BYTES(AE EURO SMILE "x"), 10, 1, 5 },
    { BYTES(AE EURO SMILE "x"), 1, 1, 1 }, /* inside one */
    { BYTES(AE EURO SMILE "x"), 4, 1, 2 },
    { BYTES(AE EURO SMILE "x"), 8, 1, 3 },
    /* bytes that are part of no character count one each */
    { BYTES("\xa7\xa7x"), 2, 1, 3 },
    { BYTES("K\xf6ln"), 2, 1, 3 },
    { BYTES("\xc3x"), 1, 1, 2 },
    { BYTES("\xe2\x82x"), 2, 1, 3 },
    { BYTES(AE "\xa4\xa4\xa4\xa4x"), 5, 1, 5 },
    { BYTES("\xc3"), 1, 1, 2 },
    { BYTES("\xff\xfe\xc0\x80x"), 4, 1, 5 },
    { BYTES("\xf5\x80\x80\x80x"), 4, 1, 5 },
    { BYTES("\xc3\n\xa4x"), 3, 2, 2 },
    /* a byte order mark is not a column at the beginning */
    { BYTES(MARK "ab"), 3, 1, 1 },
    { BYTES(MARK "ab"), 4, 1, 2 },
    { BYTES(MARK "ab"), 0, 1, 1 },
    { BYTES(MARK "ab"), 2, 1, 1 },
    { BYTES(MARK), 3, 1, 1 },
    { BYTES(MARK "\nab"), 5, 2, 2 },
    { BYTES("\xef\xbb"), 2, 1, 3 },
    { BYTES("a" MARK "b"), 4, 1, 3 },
};

/* In memory of just that size, so that reading too far is detected. */
static char *exact(const char *bytes, size_t len)
{
    char *copy = malloc(len > 0 ? len : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, len);
    return copy;
}

/* The printed text, owned by the caller. */
static char *printed(struct complaints *c, const struct source *s)
{
    char *all = NULL;
    size_t size;
    FILE *out = open_memstream(&all, &size);
    assert_non_null(out);
    complaints_print(c, s, out);
    fclose(out);
    return all;
}

/* As the line of a complaint says it. */
static void place_of(const struct source *s, size_t offset, size_t *line, size_t *column)
{
    LOCAL(complaints) c = { 0 };
    complaints_add(&c, offset, "no");
    LOCAL_STRING is = printed(&c, s);
    assert_int_equal(sscanf(is, "f:%zu:%zu: no", line, column), 2);
}

TEST(test_places)
{
    for (size_t i = 0; i < COUNT(place_cases); i++) {
        const struct place_case *c = &place_cases[i];
        LOCAL_STRING bytes = exact(c->bytes, c->len);
        struct source s = { "f", bytes, c->len };
        size_t line, column;
        place_of(&s, c->offset, &line, &column);
        if (line != c->line || column != c->column)
            fail_msg("case %zu: %zu:%zu, expected %zu:%zu", i, line, column, c->line, c->column);
    }
}

#define TEN   "0123456789"
#define SIXTY TEN TEN TEN TEN TEN TEN

static const struct print_case {
    const char *bytes;
    size_t len, offset;
    const char *expected; /* after "f:" */
} print_cases[] = {
    { BYTES(""), 0, "1:1: no\n" },
    { BYTES("abc"), 0, "1:1: no\n    abc\n    ^\n" },
    { BYTES("abc"), 2, "1:3: no\n    abc\n      ^\n" },
    { BYTES("abc"), 3, "1:4: no\n    abc\n       ^\n" },
    { BYTES("abc\n"), 3, "1:4: no\n    abc\n       ^\n" },
    { BYTES("abc\n"), 4, "2:1: no\n" },
    { BYTES("a\nbcd\ne"), 3, "2:2: no\n    bcd\n     ^\n" },
    { BYTES("\t a\tb"), 4, "1:5: no\n      a b\n        ^\n" },
    { BYTES("abc\r\nd"), 1, "1:2: no\n    abc\n     ^\n" },
    { BYTES("abc\r\nd"), 3, "1:4: no\n    abc\n       ^\n" },
    { BYTES("abc\r\nd"), 4, "1:4: no\n    abc\n       ^\n" },
    { BYTES("a\r\nbcd\r\n"), 4, "2:2: no\n    bcd\n     ^\n" },
    { BYTES("a\rbc"), 0, "1:1: no\n    a?bc\n    ^\n" },
    { BYTES("a\rbc"), 3, "1:4: no\n    a?bc\n       ^\n" },
    { BYTES("abc\r"), 4, "1:5: no\n    abc?\n        ^\n" },
    { BYTES("a\x1b[2Jb\x7f\0c"), 8, "1:9: no\n    a?[2Jb??c\n            ^\n" },
    { BYTES("\xc2\x9b"
            "2J!"),
      4, "1:4: no\n    ?2J!\n       ^\n" },
    { BYTES("a\t\x1b\xc2\x9b" AE " here\xc2\x85\nnext"), 8,
      "1:7: no\n    a ??" AE " here?\n          ^\n" },
    { BYTES(AE EURO SMILE "x"), 9, "1:4: no\n    " AE EURO SMILE "x\n       ^\n" },
    { BYTES(AE EURO SMILE "x"), 4, "1:2: no\n    " AE EURO SMILE "x\n     ^\n" },
    { BYTES("K\xf6ln \xa7 x"), 7, "1:8: no\n    K\xf6ln \xa7 x\n           ^\n" },
    { BYTES(MARK "abc"), 4, "1:2: no\n    abc\n     ^\n" },
    { BYTES(MARK "abc"), 0, "1:1: no\n    abc\n    ^\n" },
    { BYTES(MARK), 9, "1:1: no\n" },
    { BYTES(MARK "a\nb"), 5, "2:1: no\n    b\n    ^\n" },
    /* the 60 bytes before and the 30 from there on */
    { BYTES(SIXTY "x" SIXTY), 60,
      "1:61: no\n    " SIXTY "x" TEN TEN
      "012345678\n                                                                ^\n" },
    { BYTES("<" SIXTY "x" SIXTY), 61,
      "1:62: no\n    " SIXTY "x" TEN TEN
      "012345678\n                                                                ^\n" },
    { BYTES(SIXTY SIXTY), 0, "1:1: no\n    " TEN TEN TEN "\n    ^\n" },
    /* whole characters at both ends */
    { BYTES(EURO "0123456789" TEN TEN TEN TEN "01234567x"), 61,
      "1:60: no\n    " EURO TEN TEN TEN TEN TEN
      "01234567x\n                                                               ^\n" },
    { BYTES("<" EURO TEN TEN TEN TEN TEN "01234567x"), 62,
      "1:61: no\n    " EURO TEN TEN TEN TEN TEN
      "01234567x\n                                                               ^\n" },
    { BYTES(TEN TEN "012345678" EURO ">"), 0,
      "1:1: no\n    " TEN TEN "012345678" EURO "\n    ^\n" },
};

TEST(test_lines)
{
    for (size_t i = 0; i < COUNT(print_cases); i++) {
        const struct print_case *row = &print_cases[i];
        LOCAL_STRING bytes = exact(row->bytes, row->len);
        struct source s = { "f", bytes, row->len };
        LOCAL(complaints) c = { 0 };
        complaints_add(&c, row->offset, "%s", "no");
        LOCAL_STRING is = printed(&c, &s);
        assert_memory_equal(is, "f:", 2);
        if (strcmp(is + 2, row->expected) != 0)
            fail_msg("case %zu:\n%s\nexpected:\n%s", i, is + 2, row->expected);
    }
}

TEST(test_none)
{
    LOCAL(complaints) c = { 0 };
    struct source s = { "f", "abc", 3 };
    LOCAL_STRING is = printed(&c, &s);
    assert_string_equal(is, "");
}

/* Two words mean the same part of a text twice: a wrong value is shown once, where it was typed. */
TEST(test_marks)
{
    LOCAL_TEXT marked = { 0 }, text = { 0 };
    for (int word = 0; word < 2; word++) {
        complaints_add_mark(&marked, (size_t)word);
        text_add(&marked, "word ");
        complaints_add_mark(&marked, 4);
        text_add(&marked, "value ");
    }
    complaints_add_unmarked(&text, text_get(&marked));
    assert_string_equal(text_get(&text), "word value word value ");
    LOCAL(complaints) c = { .line = "a b value", .marked = text_get(&marked) };
    struct source s = { "line", text_get(&text), text.len };
    complaints_add(&c, 16, "bad");
    complaints_add(&c, 5, "bad");
    complaints_add(&c, 15, "worse");
    LOCAL_STRING is = printed(&c, &s);
    assert_string_equal(is, "line:1:2: worse\n    a b value\n     ^\n"
                            "line:1:5: bad\n    a b value\n        ^\n");
}

TEST(test_warnings_are_no_errors)
{
    struct complaints c = { 0 };
    struct source s = { "dir/a b", "xy", 2 };
    complaints_warn(&c, 1, "%d is much", 17);
    assert_int_equal(c.errors, 0);
    complaints_add(&c, 0, "bad");
    assert_int_equal(c.errors, 1);
    LOCAL_STRING is = printed(&c, &s);
    assert_string_equal(is, "dir/a b:1:1: bad\n    xy\n    ^\n"
                            "dir/a b:1:2: warning: 17 is much\n    xy\n     ^\n");
    complaints_release(&c);
    assert_null(c.list);
    assert_int_equal(c.count + c.errors + c.dropped, 0);
}

/* Ordered by place, and at the same place in the order found; printing twice gives the same. */
TEST(test_order)
{
    static const size_t offsets[] = { 4, 0, 2, 0, 6, 2, 4, 0, 100, 6, 1, 5 };
    static const char expected[] = "0 at 1:1, 1 at 1:1, 2 at 1:1, 10 at 1:2, 3 at 2:1, 4 at 2:1, 5 "
                                   "at 3:1, 6 at 3:1, 11 at 3:2, 7 at 4:1, 8 at 4:1, 9 at 4:2, ";
    static const int names[] = { 5, 0, 3, 1, 7, 4, 6, 2, 9, 8, 10, 11 };
    LOCAL(complaints) c = { 0 };
    struct source s = { "f", "a\nb\nc\nd", 7 };
    for (size_t i = 0; i < COUNT(offsets); i++)
        complaints_add(&c, offsets[i], "%d", names[i]);
    for (int times = 0; times < 2; times++) {
        LOCAL_TEXT order = { 0 };
        LOCAL_STRING is = printed(&c, &s);
        for (const char *line = is; *line != '\0'; line = strchr(line, '\n') + 1) {
            int l, column, name;
            if (sscanf(line, "f:%d:%d: %d", &l, &column, &name) == 3)
                text_add(&order, "%d at %d:%d, ", name, l, column);
        }
        assert_string_equal(text_get(&order), expected);
    }
}

static size_t count_of(const char *text, const char *what)
{
    size_t n = 0;
    for (; (text = strstr(text, what)) != NULL; text++)
        n++;
    return n;
}

TEST(test_many)
{
    static const struct {
        size_t errors, warnings, shown;
        const char *last; /* of the lines */
    } rows[] = {
        { 100, 0, 100, "    ^\n" },
        { 101, 0, 100, "f: and 1 more\n" },
        { 1234, 0, 100, "f: and 1134 more\n" },
        { 3, 1000, 100, "f: and 903 more\n" },
    };
    struct source s = { "f", "x", 1 };
    EACH(row, rows) {
        LOCAL(complaints) c = { 0 };
        for (size_t k = 0; k < row->warnings; k++)
            complaints_warn(&c, 0, "warn %zu", k);
        for (size_t k = 0; k < row->errors; k++)
            complaints_add(&c, 0, "bad %zu", k);
        assert_int_equal(c.errors, row->errors); /* also those not shown */
        LOCAL_STRING is = printed(&c, &s);
        assert_int_equal(count_of(is, "f:1:1: "), row->shown);
        assert_string_equal(is + strlen(is) - strlen(row->last), row->last);
    }
}

/* The same words for the same place are shown once; each counts as an error. */
TEST(test_repeated)
{
    struct source s = { "f", "xyz", 3 };
    LOCAL(complaints) c = { 0 };
    for (int i = 0; i < 1000; i++) {
        complaints_add(&c, 1, "bad");
        complaints_add(&c, 2, "bad");
        complaints_add(&c, 1, "worse");
        complaints_warn(&c, 1, "bad");
    }
    assert_int_equal(c.errors, 3000);
    assert_int_equal(c.count, 4);
    assert_int_equal(c.dropped, 0);
    LOCAL_STRING is = printed(&c, &s);
    assert_int_equal(count_of(is, "f:1:2: "), 3);
    assert_int_equal(count_of(is, "f:1:3: "), 1);
}

static double seconds_since(clock_t start)
{
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}

/* A line of 10 MB is shown in part, and read about once, not once for each complaint. */
TEST(test_a_long_line)
{
    enum { LEN = 10000000, COMPLAINTS = 100 };
    LOCAL_STRING bytes = malloc(LEN);
    struct source s = { "f", bytes, LEN };
    LOCAL(complaints) c = { 0 };
    size_t line, column;
    assert_non_null(bytes);
    memset(bytes, 'x', LEN);
    clock_t start = clock();
    place_of(&s, LEN, &line, &column);
    double once = seconds_since(start);
    for (size_t i = 0; i < COMPLAINTS; i++)
        complaints_add(&c, LEN - i, "bad");
    start = clock();
    LOCAL_STRING is = printed(&c, &s);
    double all = seconds_since(start);
    assert_true(all < 20 * once + 0.1);
    assert_true(strlen(is) < 200 * COMPLAINTS);
    assert_non_null(strstr(is, "f:1:10000001: bad\n"));
    assert_int_equal(count_of(is, "f:1:"), COMPLAINTS);
}

/* Lines of one kind of byte, whatever it is: the caret stays in the line shown. */
TEST(test_any_byte)
{
    char bytes[200];
    struct source s = { "f", bytes, sizeof(bytes) };
    for (int byte = 0; byte < 256; byte++) {
        LOCAL(complaints) c = { 0 };
        memset(bytes, byte, sizeof(bytes));
        for (size_t i = 0; i <= sizeof(bytes); i += 50)
            complaints_add(&c, i, "bad");
        LOCAL_STRING is = printed(&c, &s);
        assert_int_equal(count_of(is, "f:"), 5);
        assert_int_equal(count_of(is, " ^\n"), byte == '\n' ? 0 : 5);
    }
}
