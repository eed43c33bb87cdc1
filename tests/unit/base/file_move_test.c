#include "../test.h"

#include "../text_files.h"

/* The errors of link and rename; 0: they succeed. The names are the linker's (Makefile: WRAP). */
static int link_error, rename_error;

int __real_link(const char *from, const char *to);
int __real_rename(const char *from, const char *to);
int __wrap_link(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);

int __wrap_link(const char *from, const char *to)
{
    errno = link_error;
    return link_error != 0 ? -1 : __real_link(from, to);
}

int __wrap_rename(const char *from, const char *to)
{
    errno = rename_error;
    return rename_error != 0 ? -1 : __real_rename(from, to);
}

/* With hard links, and with each reason for having none. */
static const int no_links[] = { 0, EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK };

TEST_IN_DIRECTORY(test_moves)
{
    rename_error = 0;
    for (size_t i = 0; i < COUNT(no_links); i++) {
        link_error = no_links[i];
        write_text("from", "f");
        assert_int_equal(move_to_free_name("from", "to"), 0);
        assert_false(file_exists("from"));
        check_text("to", "f");
        unlink("to");
    }
}

TEST_IN_DIRECTORY(test_never_onto_a_file)
{
    rename_error = 0;
    write_text("from", "f");
    write_text("to", "t");
    for (size_t i = 0; i < COUNT(no_links); i++) {
        link_error = no_links[i];
        assert_int_equal(move_to_free_name("from", "to"), -1);
        assert_int_equal(errno, EEXIST);
        check_text("from", "f");
        check_text("to", "t");
    }
}

TEST_IN_DIRECTORY(test_completes_what_was_interrupted)
{
    link_error = rename_error = 0;
    write_text("from", "f");
    assert_int_equal(__real_link("from", "to"), 0);
    assert_int_equal(move_to_free_name("from", "to"), 0);
    assert_false(file_exists("from"));
    check_text("to", "f");
}

/* It would lead nowhere if the file were gone. */
TEST_IN_DIRECTORY(test_a_symbolic_link_is_another_file)
{
    link_error = rename_error = 0;
    write_text("from", "f");
    assert_int_equal(symlink("from", "to"), 0);
    assert_int_equal(move_to_free_name("from", "to"), -1);
    assert_int_equal(errno, EEXIST);
    check_text("from", "f");
}

static void check_into_place(void)
{
    assert_int_equal(move_into_place("from", "to", "aside"), 0);
    assert_false(file_exists("from"));
    check_text("to", "f");
    check_text("aside", "t");
    unlink("to");
    unlink("aside");
}

TEST_IN_DIRECTORY(test_into_place)
{
    rename_error = 0;
    for (size_t i = 0; i < COUNT(no_links); i++) {
        link_error = no_links[i];
        write_text("from", "f");
        write_text("to", "t");
        check_into_place();
    }
    link_error = 0;
    write_text("from", "f");
    write_text("to", "t");
    assert_int_equal(__real_link("to", "aside"), 0); /* interrupted */
    check_into_place();
}

/* Whatever fails, each file has its name. */
TEST_IN_DIRECTORY(test_into_place_fails)
{
    static const int errors[][2] = { { 0, EIO }, { EPERM, EIO }, { ENOSPC, 0 } };
    write_text("from", "f");
    write_text("to", "t");
    for (size_t i = 0; i < COUNT(errors); i++) {
        link_error = errors[i][0];
        rename_error = errors[i][1];
        assert_int_equal(move_into_place("from", "to", "aside"), -1);
        check_text("from", "f");
        check_text("to", "t");
        assert_false(file_exists("aside"));
    }
    write_text("aside", "a");
    link_error = rename_error = 0;
    assert_int_equal(move_into_place("from", "to", "aside"), -1);
    assert_int_equal(errno, EEXIST);
    check_text("aside", "a");
    check_text("to", "t");
}

/* Whatever fails, nothing has changed. */
TEST_IN_DIRECTORY(test_failures)
{
    static const struct {
        int link_error, rename_error;
        int reason;
    } rows[] = { { ENOSPC, 0, ENOSPC }, { EACCES, 0, EACCES }, { EPERM, EIO, EIO } };
    write_text("from", "f");
    EACH(c, rows) {
        link_error = c->link_error;
        rename_error = c->rename_error;
        assert_int_equal(move_to_free_name("from", "to"), -1);
        assert_int_equal(errno, c->reason);
        check_text("from", "f");
        assert_false(file_exists("to"));
    }
    link_error = rename_error = 0;
    assert_int_equal(move_to_free_name("nothing", "to"), -1);
    assert_int_equal(errno, ENOENT);
}
