#include "../test.h"

#include "base/page_cache.h"

#include "../files.h"

enum { BYTES = 1 << 20 };

/* A file of this directory that was just written; returns a descriptor. */
static int written(const char *path)
{
    static char bytes[BYTES];
    memset(bytes, 'x', sizeof(bytes));
    make_file(path, bytes, sizeof(bytes));
    return open(path, O_RDWR);
}

TEST_IN_DIRECTORY(a_written_file_is_cached)
{
    int fd = written("file");
    assert_true(page_cache_percent(fd) == 100.0);
    assert_int_equal(page_cache_drop(fd), 0);
    double left = page_cache_percent(fd);
    char byte;
    assert_int_equal(pread(fd, &byte, 1, BYTES / 2), 1);
    assert_true(page_cache_percent(fd) > 0.0);
    close(fd);
    LOCAL_TEXT type = { 0 };
    page_cache_add_file_system(".", &type);
    if (strcmp(text_get(&type), "tmpfs") == 0)
        assert_true(left == 100.0);
    else if (strcmp(text_get(&type), "ext4") == 0)
        assert_true(left == 0.0);
}

TEST_IN_DIRECTORY(memory_keeps_its_pages)
{
    static const char path[] = "/dev/shm/skampi-page-cache-test";
    LOCAL_TEXT type = { 0 };
    page_cache_add_file_system(path, &type);
    text_release(&type);
    page_cache_add_file_system("/dev/shm", &type);
    if (strcmp(text_get(&type), "tmpfs") == 0) {
        int fd = written(path);
        assert_int_equal(page_cache_drop(fd), 0);
        assert_true(page_cache_percent(fd) == 100.0);
        close(fd);
        unlink(path);
    }
}

TEST_IN_DIRECTORY(empty_and_wrong)
{
    LOCAL_TEXT type = { 0 };
    make_file("empty", "", 0);
    int fd = open("empty", O_RDWR);
    assert_true(page_cache_percent(fd) == 0.0);
    assert_int_equal(page_cache_drop(fd), 0);
    close(fd);
    assert_true(page_cache_percent(-1) == 100.0);
    assert_int_not_equal(page_cache_drop(-1), 0);
    page_cache_add_file_system("missing", &type);
    assert_string_equal(text_get(&type), "unknown");
    text_release(&type);
    page_cache_add_file_system("/proc/self", &type);
    assert_string_equal(text_get(&type), "proc");
}
