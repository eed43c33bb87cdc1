/* Changes of the result file by other programs while it is written, and the files that result. */

#include "../test.h"

#include "results/out_file.h"

#include "../text_files.h"

static struct out_file create(void)
{
    const struct out_expected header = { .text = "#@H\n" };
    struct out_file f;
    SUCCEEDS(out_file_open(&f, "out", &header, &e));
    return f;
}

static void append(struct out_file *f, const char *text)
{
    SUCCEEDS(out_file_append(f, text, &e));
}

static void close_it(struct out_file *f)
{
    SUCCEEDS(out_file_close(f, &e));
}

static void write_into(const char *text, int flags)
{
    int fd = open("out", O_WRONLY | flags);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
}

static void do_nothing(void)
{
}

#define CHANGE(name, ...)                                                                          \
    static void name(void)                                                                         \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }
CHANGE(remove_it, assert_int_equal(unlink("out"), 0))
CHANGE(move_it, assert_int_equal(rename("out", "mine"), 0))
CHANGE(replace_it, write_text("new", "mine\n"), assert_int_equal(rename("new", "out"), 0))
CHANGE(replace_with_equal, write_text("new", "#@H\na\n"), assert_int_equal(rename("new", "out"), 0))
CHANGE(empty_it, write_into("", O_TRUNC))
CHANGE(shorten_it, assert_int_equal(truncate("out", 3), 0))
CHANGE(add_to_it, write_into("mine\n", O_APPEND))

static void make_it_link(void)
{
    write_text("mine", "mine\n");
    remove_it();
    assert_int_equal(symlink("mine", "out"), 0);
}

CHANGE(make_it_pipe, remove_it(), assert_int_equal(mkfifo("out", 0600), 0))

#define REPLACED                                                                                   \
    "'out' was replaced or changed during the run; it was written again with all results, and "    \
    "that file is kept as 'out.1'"
#define REMOVED "'out' was removed during the run; it was written again with all results"

static const struct change_case {
    void (*change)(void);
    const char *message;
    const char *kept; /* content of out.1; NULL: do not check */
    int files;
} changes[] = {
    { do_nothing, "", NULL, 1 },
    { remove_it, REMOVED, NULL, 1 },
    { move_it, REMOVED, NULL, 2 },
    { replace_it, REPLACED, "mine\n", 2 },
    { replace_with_equal, REPLACED, "#@H\na\n", 2 },
    { empty_it, REPLACED, "", 2 },
    { shorten_it, REPLACED, "#@H", 2 },
    { add_to_it, REPLACED, "#@H\na\nmine\n", 2 },
    { make_it_link, REPLACED, "mine\n", 3 },
    { make_it_pipe, REPLACED, NULL, 2 },
};

static void check_change(const struct change_case *c, bool at_the_end)
{
    struct out_file f = create();
    append(&f, "a\n");
    c->change();
    if (!at_the_end) {
        append(&f, "b\n");
        assert_string_equal(text_get(&f.changed), c->message);
        append(&f, "c\n");
    }
    close_it(&f);
    assert_string_equal(text_get(&f.changed), c->message);
    out_file_release(&f);
    check_text("out", at_the_end ? "#@H\na\n" : "#@H\na\nb\nc\n");
    if (c->kept != NULL)
        check_text("out.1", c->kept);
    assert_int_equal(count_files(), c->files);
    remove_all();
}

TEST_IN_DIRECTORY(test_changes_by_others)
{
    for (size_t i = 0; i < COUNT(changes); i++) {
        check_change(&changes[i], false);
        check_change(&changes[i], true);
    }
}

/* An edit that does not change the length. */
TEST_IN_DIRECTORY(test_edit_of_the_same_length)
{
    struct out_file f = create();
    append(&f, "a\n");
    write_into("#@I\n", 0);
    append(&f, "b\n");
    assert_string_equal(text_get(&f.changed), "");
    close_it(&f);
    assert_string_equal(text_get(&f.changed), REPLACED);
    out_file_release(&f);
    check_text("out", "#@H\na\nb\n");
    check_text("out.1", "#@I\na\nb\n");
}

TEST_IN_DIRECTORY(test_repeated_changes)
{
    struct out_file f = create();
    for (int i = 0; i < 3; i++) {
        replace_it();
        append(&f, "a\n");
    }
    close_it(&f);
    out_file_release(&f);
    check_text("out", "#@H\na\na\na\n");
    check_text("out.3", "mine\n");
    assert_int_equal(count_files(), 4);
}

/* A directory cannot be replaced like a file. */
TEST_IN_DIRECTORY(test_replaced_by_directory)
{
    struct out_file f = create();
    struct err e = { "" };
    append(&f, "a\n");
    remove_it();
    assert_int_equal(mkdir("out", 0777), 0);
    assert_int_equal(out_file_append(&f, "b\n", &e), -1);
    out_file_release(&f);
    assert_non_null(strstr(e.text, "'out' was removed or changed during the run: cannot "));
    assert_non_null(strstr(e.text, "; its journal has all results"));
    assert_int_equal(count_files(), 1);
}

#define TEXT "#@H\na\nb\n"

/* A file that exists: a beginning of the text is completed, known visits are removed, a line that
 * was replaced in the text is replaced in the file, and any other file is kept. */
static const struct {
    const char *before; /* NULL: no file */
    bool kept;
} opened[] = {
    { NULL, false },
    { "", false },
    { "#@H\n", false },
    { "#@H\na", false },
    { TEXT, false },
    { TEXT "visits\n", false },
    { TEXT "visit", true },
    { TEXT "visitS\n", true },
    { TEXT "my own words", true },
    { "#@I\na\nb\n", true },
    { "x", true },
    { "#@H\nA\n", true },
};

TEST_IN_DIRECTORY(test_opened)
{
    const struct out_expected x = { TEXT, strlen("visits\n"), hash_bytes("visits\n", 7) };
    EACH(row, opened) {
        struct out_file f;
        remove_all();
        if (row->before != NULL)
            write_text("out", row->before);
        SUCCEEDS(out_file_open(&f, "out", &x, &e));
        assert_string_equal(text_get(&f.changed),
                            row->kept
                                ? "'out' was replaced or changed after the last start; it was "
                                  "written again with all results, and that file is kept as 'out.1'"
                                : "");
        check_text("out", TEXT);
        append(&f, "c\n");
        close_it(&f);
        out_file_release(&f);
        check_text("out", TEXT "c\n");
        if (row->kept)
            check_text("out.1", row->before);
        assert_int_equal(count_files(), 1 + row->kept);
    }
}

/* Copies of an interrupted launch are removed if the file holds all of their text. */
TEST_IN_DIRECTORY(test_leftovers)
{
    struct out_file f = create();
    append(&f, "a\n");
    write_text("out.copy-00000000", "#@H\na");
    write_text("out.copy-0123cdef", "");
    write_text("out.copy-00000001", "#@H\nb\n");
    write_text("out.copy-0000000", "#@H\n");
    write_text("out.copy-0000000g", "#@H\n");
    write_text("out.merge-00000000", "#@H\n");
    close_it(&f);
    out_file_release(&f);
    assert_false(file_exists("out.copy-00000000") || file_exists("out.copy-0123cdef"));
    assert_int_equal(count_files(), 5);
}

TEST_IN_DIRECTORY(test_device)
{
    LOCAL(out_file) f;
    assert_int_equal(
        out_file_open(&f, "/dev/null", &(struct out_expected){ .text = "#@H\n" }, NO_ERR), 0);
    append(&f, "a\n");
    close_it(&f);
    out_file_release(&f);
    assert_int_equal(mkfifo("out", 0600), 0); /* it does not wait for a reader */
    struct out_expected x = { .text = "#@H\n" };
    assert_int_equal(out_file_open(&f, "out", &x, NO_ERR), -1);
    assert_int_equal(unlink("out"), 0);
    write_text("mine", "#@H\n");
    assert_int_equal(symlink("mine", "out"), 0); /* nor follows a link */
    assert_int_equal(out_file_open(&f, "out", &x, NO_ERR), -1);
}
