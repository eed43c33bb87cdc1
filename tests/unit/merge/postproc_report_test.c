#include "../test.h"

#include "merge/postproc.h"

static void leave_out(struct merge_report *t, const char *path, const char *why)
{
    merge_report_add(t, path, FILE_IS_LEFT_OUT, why);
}

static void check(struct merge_report *t, const char *each, const char *in_short)
{
    struct text text = { 0 };
    text_add(&text, "%s%s", text_get(&t->each), text_get(&t->result));
    assert_string_equal(text_get(&text), each);
    text_release(&text);
    for (int i = 0; i < 2; i++) {
        merge_report_summary(t, &text);
        assert_string_equal(text_get(&text), in_short);
        assert_false(text.failed);
        text_release(&text);
    }
    merge_report_release(t);
}

TEST(test_nothing)
{
    struct merge_report t = { 0 };
    check(&t, "", "");
    text_add(&t.result, "merged\n");
    check(&t, "merged\n", "merged\n");
}

TEST(test_few)
{
    static const char lines[] = "'out.1' is not merged: too old\n"
                                "'out.2' is not merged: too new\n"
                                "'out.3' is removed: too old\n";
    struct merge_report t = { 0 };
    leave_out(&t, "out.1", "too old\nand more of that");
    leave_out(&t, "out.2", "too new");
    merge_report_add(&t, "out.3", FILE_IS_REMOVED, "too old");
    check(&t, lines, lines);
}

TEST(test_two_of_a_kind)
{
    struct merge_report t = { 0 };
    leave_out(&t, "out.1", "too old");
    leave_out(&t, "out.2", "too new");
    leave_out(&t, "out.3", "too old");
    check(&t,
          "'out.1' is not merged: too old\n"
          "'out.2' is not merged: too new\n"
          "'out.3' is not merged: too old\n",
          "'out.1' and 1 other (see the log) are not merged: too old\n"
          "'out.2' is not merged: too new\n");
}

/* For 50 old files, only one is named. */
TEST(test_many)
{
    struct merge_report t = { 0 };
    LOCAL_TEXT each = { 0 };
    char path[16];
    for (int i = 1; i <= 50; i++) {
        snprintf(path, sizeof(path), "out.%d", i);
        leave_out(&t, path, "another machine");
        text_add(&each, "'%s' is not merged: another machine\n", path);
    }
    check(&t, text_get(&each),
          "'out.1' and 49 others (see the log) are not merged: another machine\n");
}

/* Removed files are always reported. */
TEST(test_many_reasons)
{
    static const char *const reasons[] = { "a", "b", "c", "d", "b", "e" };
    struct merge_report t = { 0 };
    LOCAL_TEXT each = { 0 };
    for (size_t i = 0; i < COUNT(reasons); i++) {
        leave_out(&t, "out.1", reasons[i]);
        text_add(&each, "'out.1' is not merged: %s\n", reasons[i]);
    }
    merge_report_add(&t, "out.8", FILE_IS_REMOVED, "a");
    text_add(&each, "'out.8' is removed: a\n");
    check(&t, text_get(&each),
          "'out.1' is not merged: a\n"
          "'out.1' and 1 other (see the log) are not merged: b\n"
          "'out.1' is not merged: c\n"
          "'out.8' is removed: a\n"
          "2 more files are not merged; the log says why\n");
}
