#include "../test.h"

#include "../text_files.h"
#include "pattern.h"

static const char path[] = "file";

static int to_append(const char *name)
{
    return open(name, O_WRONLY | O_CREAT | O_APPEND, 0666);
}

static void write_closing(int fd, const char *text)
{
    struct err e = { "" };
    assert_true(fd >= 0);
    assert_int_equal(file_write_synced(fd, path, text, strlen(text), &e), 0);
    assert_false(err_is_set(&e));
    close(fd);
}

TEST_IN_DIRECTORY(test_append)
{
    struct err e = { "" };
    write_closing(to_append(path), "one\n"); /* creates */
    write_closing(to_append(path), "");
    int first = to_append(path);
    write_closing(to_append(path), "two\n");
    write_closing(first, "three\n"); /* after what another wrote meanwhile */
    check_text(path, "one\ntwo\nthree\n");
    assert_false(err_is_set(&e));
}

static int create(const char *name, struct err *e)
{
    return file_open_own(name, O_CREAT | O_EXCL, 0666, e);
}

/* The next start has to read what this one writes. */
TEST_IN_DIRECTORY(test_owner_may_read_and_write)
{
    static const mode_t rows[][2] = {
        { 0777, 0600 }, { 0700, 0666 }, { 077, 0600 }, { 022, 0644 }, { 0, 0666 }
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct stat st;
        mode_t before = umask(rows[i][0]);
        file_own_new_files();
        int fd = create(path, NO_ERR);
        umask(before);
        assert_int_equal(fstat(fd, &st), 0);
        assert_int_equal(st.st_mode & 0777, rows[i][1]);
        close(fd);
        unlink(path);
    }
}

TEST_IN_DIRECTORY(test_create_never_overwrites)
{
    write_closing(create(path, NO_ERR), "mine");
    FAILS(create(path, &e), "cannot write 'file': File exists");
    check_text(path, "mine");
}

TEST_IN_DIRECTORY(test_create_follows_no_link)
{
    assert_int_equal(symlink("target", path), 0);
    assert_int_equal(create(path, NO_ERR), -1);
    assert_int_equal(access("target", F_OK), -1);
}

/* A program that is started inherits no descriptor. */
TEST_IN_DIRECTORY(test_closed_on_exec)
{
    int fd = create(path, NO_ERR);
    assert_true(fd >= 0);
    assert_true((fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
    close(fd);
}

TEST_IN_DIRECTORY(test_what_cannot_be_opened)
{
    static const struct {
        const char *path, *expected;
    } rows[] = {
        { "no/f", "cannot write 'no/f': No such file or directory" },
        { ".", "cannot write '.': File exists" },
    };
    EACH(c, rows)
        FAILS(create(c->path, &e), c->expected);
}

TEST_IN_DIRECTORY(test_a_full_disk)
{
    int fd = to_append("/dev/full");
    assert_true(fd >= 0);
    assert_int_equal(file_write_synced(fd, "/dev/full", "", 0, NO_ERR), 0);
    FAILS(file_write_synced(fd, "/dev/full", "x", 1, &e),
          "cannot write '/dev/full': No space left on device");
    close(fd);
}

TEST_IN_DIRECTORY(test_what_cannot_be_written)
{
    struct err unset = { "" }, closed = { "" };
    make_file(path, "", 0);
    int fd = open(path, O_RDONLY);
    assert_int_equal(file_write_synced(fd, "f", "x", 1, &unset), -1);
    assert_string_equal(unset.text, "cannot write 'f': Bad file descriptor");
    close(fd);
    assert_int_equal(file_write_synced(fd, "f", "", 0, &closed), -1); /* it cannot be synced */
    assert_string_equal(closed.text, "cannot write 'f': Bad file descriptor");
}

typedef int writer(int fd, const char *path, const char *bytes, size_t len, struct err *e);

/* Writes 150 bytes to a file limited to 100. Without file_report_limits() the signal would end the
 * process. */
static int write_beyond_the_limit(writer *write_all, int fd, struct err *e)
{
    LOCAL_STRING bytes = pattern(150);
    signal(SIGXFSZ, SIG_DFL);
    file_report_limits();
    limit_file_size(100);
    int rc = write_all(fd, "f", bytes, 150, e);
    limit_file_size(0);
    return rc;
}

/* First a short write, then the error. */
TEST_IN_DIRECTORY(test_written_in_part)
{
    int fd = create(path, NO_ERR);
    FAILS(write_beyond_the_limit(file_write_synced, fd, &e), "cannot write 'f': File too large");
    assert_int_equal(lseek(fd, 0, SEEK_END), 100);
    close(fd);
}

TEST_IN_DIRECTORY(test_appended_whole_or_not_at_all)
{
    struct err e = { "" };
    int fd = to_append(path);
    assert_int_equal(file_append(fd, path, "one\n", 4, &e), 0);
    assert_int_equal(write_beyond_the_limit(file_append, fd, &e), -1);
    assert_string_equal(e.text, "cannot write 'f': File too large");
    check_text(path, "one\n");
    e.text[0] = '\0';
    assert_int_equal(file_append(fd, path, "two\n", 4, &e), 0);
    check_text(path, "one\ntwo\n");
    close(fd);
}

TEST_IN_DIRECTORY(test_cut)
{
    int fd = to_append(path);
    assert_int_equal(file_write_synced(fd, path, "0123456789", 10, NO_ERR), 0);
    assert_int_equal(file_cut(fd, path, 4, NO_ERR), 0);
    check_text(path, "0123");
    close(fd);
    FAILS(file_cut(fd, path, 2, &e), "cannot cut 'file': Bad file descriptor");
}

/* For files in it; a directory that does not exist needs no syncing. */
TEST_IN_DIRECTORY(test_directories)
{
    static const char *const paths[] = { "file", "./file", "no/file" };
    for (size_t i = 0; i < COUNT(paths); i++) {
        struct err e = { "" };
        assert_int_equal(file_sync_directory(paths[i], &e), 0);
        assert_false(err_is_set(&e));
    }
}
