/* Whatever has the name of a file: it is opened, or the error says why, without waiting. */
#include "../test.h"

#include "base/file.h"

#include "../files.h"

static void make_all(void)
{
    make_file("file", "text", 4);
    make_file("foreign", "text", 4);
    assert_int_equal(symlink("file", "link") | symlink("none", "dangling"), 0);
    assert_int_equal(symlink("/dev/zero", "zero") | symlink("directory", "below"), 0);
    assert_int_equal(mkfifo("pipe", 0600) | mkdir("directory", 0700), 0);
}

#define LINK "cannot write '%s': it is a symbolic link; name another file"

static const struct {
    const char *name, *read, *write; /* errors; "": none */
} cases[] = {
    { "file", "", "" },
    { "link", "", LINK },
    { "dangling", "cannot read '%s': No such file or directory", LINK },
    { "zero", "cannot read '%s': not a regular file", LINK },
    { "below", "cannot read '%s': Is a directory", LINK },
    { "pipe", "cannot read '%s': not a regular file", "cannot write '%s': not a regular file" },
    { "directory", "cannot read '%s': Is a directory", "cannot write '%s': Is a directory" },
    { "/dev/zero", "cannot read '%s': not a regular file",
      "cannot write '%s': not a regular file" },
    { "no/file", "cannot read '%s': No such file or directory",
      "cannot write '%s': No such file or directory" },
};

static void check(int fd, const struct err *e, const char *format, const char *name)
{
    char expected[128];
    snprintf(expected, sizeof(expected), format, name);
    assert_string_equal(e->text, expected);
    assert_int_equal(fd >= 0, expected[0] == '\0');
    if (fd >= 0)
        close(fd);
}

TEST_WITH(each_kind_of_file, enter_directory, leave_directory)
{
    make_all();
    EACH(c, cases) {
        struct err read = { "" }, write = { "" };
        check(file_open_read(c->name, 0, &read), &read, c->read, c->name);
        check(file_open_own(c->name, O_CREAT, 0600, &write), &write, c->write, c->name);
    }
    assert_int_equal(access("none", F_OK), -1);
}

TEST_WITH(a_file_of_another_user_is_read_only, enter_directory, leave_directory)
{
    struct err read = { "" }, write = { "" };
    make_all();
    if (geteuid() != 0 || chown("foreign", 65534, 65534) != 0)
        skip();
    check(file_open_read("foreign", 0, &read), &read, "", "foreign");
    check(file_open_own("foreign", 0, 0, &write), &write,
          "cannot write '%s': it belongs to another user; name another file", "foreign");
}

TEST_WITH(only_a_device_or_a_pipe_that_is_read_is_a_stream, enter_directory, leave_directory)
{
    static const char *const others[] = { "file", "pipe", "directory", "none" };
    make_all();
    int fd = file_open_stream("/dev/null", false, &(struct err){ "" });
    assert_true(fd >= 0 && (fcntl(fd, F_GETFL) & O_NONBLOCK) == 0);
    close(fd);
    for (size_t i = 0; i < COUNT(others); i++)
        assert_int_equal(file_open_stream(others[i], true, &(struct err){ "" }), -1);
    int reader = open("pipe", O_RDONLY | O_NONBLOCK), writer;
    assert_int_equal(file_open_stream("pipe", false, &(struct err){ "" }), -1);
    assert_true((writer = file_open_stream("pipe", true, &(struct err){ "" })) >= 0);
    close(writer);
    close(reader);
}
