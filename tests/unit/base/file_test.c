#include "../test.h"

#include "base/file.h"

#include "../files.h"
#include "pattern.h"

static const char path[] = "file";

static void check_bytes(const char *is, size_t len, const char *expected, size_t expected_len)
{
    assert_int_equal(len, expected_len);
    assert_memory_equal(is, expected, expected_len);
}

/* Sizes around those at which the buffer grows; a file may have exactly the limit. */
TEST_IN_DIRECTORY(test_read)
{
    static const struct {
        size_t size, limit;
        int rc;
    } rows[] = {
        { 0, 0, 0 },
        { 0, 100, 0 },
        { 1, 100, 0 },
        { 100, 100, 0 },
        { 101, 100, -1 },
        { 1, 0, -1 },
        { 64 * KIB - 2, SIZE_MAX, 0 },
        { 64 * KIB - 1, SIZE_MAX, 0 },
        { 64 * KIB, SIZE_MAX, 0 },
        { 64 * KIB + 1, SIZE_MAX, 0 },
        { 128 * KIB - 1, SIZE_MAX, 0 },
        { 128 * KIB, 128 * KIB, 0 },
        { 128 * KIB, 128 * KIB - 1, -1 },
        { 3000 * KIB + 7, SIZE_MAX, 0 },
        { 3000 * KIB + 7, 3000 * KIB + 6, -1 },
    };
    EACH(c, rows) {
        struct err e = { "" };
        LOCAL_STRING expected = pattern(c->size);
        LOCAL_TEXT all = { 0 };
        make_file(path, expected, c->size);
        assert_int_equal(file_read(path, c->limit, &all, &e), c->rc);
        assert_int_equal(err_is_set(&e), c->rc != 0);
        if (c->rc == 0) {
            check_bytes(all.s, all.len, expected, c->size);
            assert_int_equal(all.s[all.len], '\0');
        } else {
            char message[200];
            snprintf(message, sizeof(message), "'%s' is longer than %zu bytes", path, c->limit);
            assert_string_equal(e.text, message);
            assert_null(all.s);
        }
    }
}

TEST_IN_DIRECTORY(test_what_cannot_be_read)
{
    static const struct {
        const char *path, *expected;
    } rows[] = {
        { "/nonexistent/file", "cannot read '/nonexistent/file': No such file or directory" },
        { "", "cannot read '': No such file or directory" },
        { "/tmp", "cannot read '/tmp': Is a directory" },
        { "/dev/null/file", "cannot read '/dev/null/file': Not a directory" },
    };
    EACH(c, rows) {
        struct text all = { 0 };
        FAILS(file_read(c->path, 100, &all, &e), c->expected);
        assert_null(all.s);
    }
}

TEST_IN_DIRECTORY(test_endless)
{
    struct text all = { 0 };
    FAILS(file_read("/dev/zero", 300 * KIB, &all, &e),
          "cannot read '/dev/zero': not a regular file");
    assert_null(all.s);
}

/* Reading starts at the beginning, whatever the position of the descriptor. */
TEST_IN_DIRECTORY(test_read_open)
{
    struct text all = { 0 };
    make_file(path, "0123456789", 10);
    int fd = open(path, O_RDONLY);
    assert_int_equal(lseek(fd, 7, SEEK_SET), 7);
    assert_int_equal(file_read_open(fd, path, 10, &all, NO_ERR), 0);
    check_bytes(all.s, all.len, "0123456789", 10);
    text_release(&all);
    FAILS(file_read_open(fd, path, 9, &all, &e), "'file' is longer than 9 bytes");
    assert_null(all.s);
    close(fd);
}
