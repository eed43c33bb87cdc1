#include "../test.h"

#include "base/markup.h"

TEST(test_escapes)
{
    static const struct {
        enum markup markup;
        const char *s, *expected;
    } cases[] = {
        { MARKUP_TEXT, "a_b <c> 50 % \\ {x}", "a_b <c> 50 % \\ {x}" },
        { MARKUP_LATEX, "a_b", "a\\_b" },
        { MARKUP_LATEX, "50 % & $1 #2", "50 \\% \\& \\$1 \\#2" },
        { MARKUP_LATEX, "\\ { } ^ ~ |",
          "\\textbackslash{} \\{ \\} \\textasciicircum{} \\textasciitilde{} \\textbar{}" },
        { MARKUP_LATEX, "<'`\">",
          "\\textless{}\\textquotesingle{}\\textasciigrave{}\\textquotedbl{}\\textgreater{}" },
        { MARKUP_LATEX, "--list", "-{}-{}list" },
        { MARKUP_POD, "B<x> a/b|c", "BE<lt>xE<gt> aE<sol>bE<verbar>c" },
        { MARKUP_POD, "", "" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct text t = { 0 };
        markup_add(&t, cases[i].markup, cases[i].s);
        assert_string_equal(text_get(&t), cases[i].expected);
        text_release(&t);
    }
}

TEST(test_arguments)
{
    struct text t = { 0 };
    markup_add_argument(&t, "a_b");
    markup_add_font(&t, 'B', "x>y");
    assert_string_equal(text_get(&t), "{a\\_b}B<xE<gt>y>");
    text_release(&t);
}
