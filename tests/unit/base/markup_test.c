#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/markup.h"

static void test_escapes(void **state)
{
    (void)state;
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

static void test_arguments(void **state)
{
    (void)state;
    struct text t = { 0 };
    markup_add_argument(&t, "a_b");
    markup_add_font(&t, 'B', "x>y");
    assert_string_equal(text_get(&t), "{a\\_b}B<xE<gt>y>");
    text_release(&t);
}

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_escapes),
        cmocka_unit_test(test_arguments),
    };
    return cmocka_run_group_tests_name("markup", tests, NULL, NULL);
}
