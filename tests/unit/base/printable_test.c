/* Control characters do not reach terminals or files. */
#include "../test.h"

#include "base/text.h"

#define BYTES(s) s, sizeof(s) - 1

static const struct printable_case {
    const char *bytes;
    size_t len;
    const char *expected;
} printable_cases[] = {
    { BYTES(""), "" },
    { BYTES("plain ~"), "plain ~" },
    { BYTES("a\tb\nc\rd"), "a b?c?d" },
    { BYTES("\0\x01\x1f \x7f"), "??? ?" },
    { BYTES("\x1b[2J"), "?[2J" },
    { BYTES("\xc2\x80\xc2\x9b\xc2\x9f"), "???" },
    { BYTES("a\xc2\x9b"
            "b"),
      "a?b" },
    { BYTES("\xc2\xa0\xc2\xbf"), "\xc2\xa0\xc2\xbf" },         /* no controls */
    { BYTES("\xc3\x9b\xe2\x80\x9b"), "\xc3\x9b\xe2\x80\x9b" }, /* nor these */
    { BYTES("\xf0\x9f\x98\x80"), "\xf0\x9f\x98\x80" },         /* nor this */
    { BYTES("K\xf6ln \x80\x9b"), "K\xf6ln \x80\x9b" },         /* 8-bit letters */
    { BYTES("\xc2"), "\xc2" },                                 /* the end */
    { BYTES("\xc2\xc2\x9b"), "\xc2?" },
    { BYTES("\xc2\n"), "\xc2?" },
};

TEST(test_printable)
{
    EACH(c, printable_cases) {
        LOCAL_TEXT t = { 0 };
        text_add(&t, "<");
        text_add_printable(&t, c->bytes, c->len);
        assert_string_equal(t.s + 1, c->expected);
    }
}

TEST(test_lines)
{
    char lines[] = "a\x1b[31m\nb\tc\xc2\x9b"
                   "d\n";
    text_make_printable(lines);
    assert_string_equal(lines, "a?[31m\nb c?d\n");
    struct err e = { "" };
    err_set(&e, "no file '%s'", "\x1b[2J");
    assert_string_equal(e.text, "no file '?[2J'");
}

/* Bytes after len do not count. */
TEST(test_control)
{
    assert_int_equal(text_control("\xc2\x9b", 1), 0);
    assert_int_equal(text_control("\xc2\x9b", 2), 2);
    assert_int_equal(text_control("\n\n", 2), 1);
    assert_int_equal(text_control("", 1), 1);
    assert_int_equal(text_control("\xa0", 1), 0);
}
