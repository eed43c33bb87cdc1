#include "../test.h"

#include "merge/postproc.h"

static void check(struct merge_report *t, const char *each, const char *in_short)
{
    struct text text = { 0 };
    text_add(&text, "%s%s", text_get(&t->each), text_get(&t->result));
    assert_string_equal(text_get(&text), each);
    text_release(&text);
    for (int i = 0; i < 2; i++) {
        merge_report_summary(t, &text);
        assert_string_equal(text_get(&text), in_short);
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

TEST(test_one)
{
    struct merge_report t = { 0 };
    merge_report_leave_out(&t, "out.1", "too old\nand more of that");
    text_add(&t.result, "merged\n");
    check(&t, "'out.1' is not merged: too old\nmerged\n",
          "'out.1' is not merged: too old\nmerged\n");
}

/* For many files, only the first is named. */
TEST(test_many)
{
    struct merge_report t = { 0 };
    LOCAL_TEXT each = { 0 };
    char path[16];
    for (int i = 1; i <= 50; i++) {
        snprintf(path, sizeof(path), "out.%d", i);
        merge_report_leave_out(&t, path, "another machine");
        text_add(&each, "'%s' is not merged: another machine\n", path);
    }
    check(
        &t, text_get(&each),
        "'out.1' is not merged: another machine; 49 other files are left out, too: see the log\n");
}
