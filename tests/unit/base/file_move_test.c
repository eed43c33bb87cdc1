#include "../test.h"

#include "base/file.h"

#include "../files.h"

#include <errno.h>
#include <stdbool.h>

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

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

static void check_file(const char *path, char content)
{
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_int_equal(getc(f), content);
    assert_int_equal(getc(f), EOF);
    fclose(f);
}

/* With hard links, and with each reason for having none. */
static const int no_links[] = { 0, EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK };

TEST_IN_DIRECTORY(test_moves)
{
    rename_error = 0;
    for (size_t i = 0; i < COUNT(no_links); i++) {
        link_error = no_links[i];
        make_file("from", "f", 1);
        assert_int_equal(move_to_free_name("from", "to"), 0);
        assert_false(is_there("from"));
        check_file("to", 'f');
        unlink("to");
    }
}

TEST_IN_DIRECTORY(test_never_onto_a_file)
{
    rename_error = 0;
    make_file("from", "f", 1);
    make_file("to", "t", 1);
    for (size_t i = 0; i < COUNT(no_links); i++) {
        link_error = no_links[i];
        assert_int_equal(move_to_free_name("from", "to"), -1);
        assert_int_equal(errno, EEXIST);
        check_file("from", 'f');
        check_file("to", 't');
    }
}

TEST_IN_DIRECTORY(test_completes_what_was_interrupted)
{
    link_error = rename_error = 0;
    make_file("from", "f", 1);
    assert_int_equal(__real_link("from", "to"), 0);
    assert_int_equal(move_to_free_name("from", "to"), 0);
    assert_false(is_there("from"));
    check_file("to", 'f');
}

/* It would lead nowhere if the file were gone. */
TEST_IN_DIRECTORY(test_a_symbolic_link_is_another_file)
{
    link_error = rename_error = 0;
    make_file("from", "f", 1);
    assert_int_equal(symlink("from", "to"), 0);
    assert_int_equal(move_to_free_name("from", "to"), -1);
    assert_int_equal(errno, EEXIST);
    check_file("from", 'f');
}

static void check_into_place(void)
{
    assert_int_equal(move_into_place("from", "to", "aside"), 0);
    assert_false(is_there("from"));
    check_file("to", 'f');
    check_file("aside", 't');
    unlink("to");
    unlink("aside");
}

TEST_IN_DIRECTORY(test_into_place)
{
    rename_error = 0;
    for (size_t i = 0; i < COUNT(no_links); i++) {
        link_error = no_links[i];
        make_file("from", "f", 1);
        make_file("to", "t", 1);
        check_into_place();
    }
    link_error = 0;
    make_file("from", "f", 1);
    make_file("to", "t", 1);
    assert_int_equal(__real_link("to", "aside"), 0); /* interrupted */
    check_into_place();
}

/* Whatever fails, each file has its name. */
TEST_IN_DIRECTORY(test_into_place_fails)
{
    static const int errors[][2] = { { 0, EIO }, { EPERM, EIO }, { ENOSPC, 0 } };
    make_file("from", "f", 1);
    make_file("to", "t", 1);
    for (size_t i = 0; i < COUNT(errors); i++) {
        link_error = errors[i][0];
        rename_error = errors[i][1];
        assert_int_equal(move_into_place("from", "to", "aside"), -1);
        check_file("from", 'f');
        check_file("to", 't');
        assert_false(is_there("aside"));
    }
    make_file("aside", "a", 1);
    link_error = rename_error = 0;
    assert_int_equal(move_into_place("from", "to", "aside"), -1);
    assert_int_equal(errno, EEXIST);
    check_file("aside", 'a');
    check_file("to", 't');
}

/* Whatever fails, nothing has changed. */
TEST_IN_DIRECTORY(test_failures)
{
    static const struct {
        int link_error, rename_error;
        int reason;
    } rows[] = { { ENOSPC, 0, ENOSPC }, { EACCES, 0, EACCES }, { EPERM, EIO, EIO } };
    make_file("from", "f", 1);
    for (size_t i = 0; i < COUNT(rows); i++) {
        link_error = rows[i].link_error;
        rename_error = rows[i].rename_error;
        assert_int_equal(move_to_free_name("from", "to"), -1);
        assert_int_equal(errno, rows[i].reason);
        check_file("from", 'f');
        assert_false(is_there("to"));
    }
    link_error = rename_error = 0;
    assert_int_equal(move_to_free_name("nothing", "to"), -1);
    assert_int_equal(errno, ENOENT);
}
