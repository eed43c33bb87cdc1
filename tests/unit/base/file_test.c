#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/file.h"

#include "../failing.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))

enum { KIB = 1024, PATTERN = 251 };

static char directory[] = "/tmp/skampi-file-XXXXXX";
static char path[sizeof(directory) + 16]; /* a file in it, or none */

static int make_directory(void **state)
{
    (void)state;
    if (mkdtemp(directory) == NULL)
        return -1;
    snprintf(path, sizeof(path), "%s/file", directory);
    return 0;
}

static int remove_file(void **state)
{
    (void)state;
    allocations_left = -1;
    unlink(path);
    return 0;
}

static int remove_directory(void **state)
{
    (void)state;
    return rmdir(directory);
}

/* Bytes that tell their place; owned by the caller. */
static char *pattern(size_t len)
{
    char *bytes = malloc(len + 1);
    assert_non_null(bytes);
    for (size_t i = 0; i < len; i++)
        bytes[i] = (char)(i % PATTERN);
    return bytes;
}

static void make_file(const char *bytes, size_t len)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, len, f), len);
    assert_int_equal(fclose(f), 0);
}

/* With '@' for the directory of the test; the result is overwritten by the next call. */
static const char *in_directory(const char *text)
{
    static char filled[512];
    const char *at = strchr(text, '@');
    if (at == NULL)
        return text;
    snprintf(filled, sizeof(filled), "%.*s%s%s", (int)(at - text), text, directory, at + 1);
    return filled;
}

static void check_bytes(const char *is, size_t len, const char *expected, size_t expected_len)
{
    assert_int_equal(len, expected_len);
    assert_memory_equal(is, expected, expected_len);
}

/* Sizes around those at which the buffer grows; the limit itself is allowed. */
static void test_read(void **state)
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
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct err e = { "" };
        char *expected = pattern(rows[i].size);
        char *bytes = NULL;
        size_t len = 0;
        make_file(expected, rows[i].size);
        assert_int_equal(file_read(path, rows[i].limit, &bytes, &len, &e), rows[i].rc);
        assert_int_equal(err_is_set(&e), rows[i].rc != 0);
        if (rows[i].rc == 0) {
            check_bytes(bytes, len, expected, rows[i].size);
            assert_int_equal(bytes[len], '\0');
        } else {
            char message[200];
            snprintf(message, sizeof(message), "'%s' is longer than %zu bytes", path,
                     rows[i].limit);
            assert_string_equal(e.text, message);
            assert_null(bytes);
        }
        free(bytes);
        free(expected);
    }
}

static void test_what_cannot_be_read(void **state)
{
    static const struct {
        const char *path, *expected;
    } rows[] = {
        { "/nonexistent/file", "cannot read '/nonexistent/file': No such file or directory" },
        { "", "cannot read '': No such file or directory" },
        { "/tmp", "cannot read '/tmp': Is a directory" },
        { "/dev/null/file", "cannot read '/dev/null/file': Not a directory" },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct err e = { "" };
        char somewhere;
        char *bytes = &somewhere;
        size_t len;
        assert_int_equal(file_read(rows[i].path, 100, &bytes, &len, &e), -1);
        assert_string_equal(e.text, rows[i].expected);
        assert_null(bytes);
    }
}

static void test_endless(void **state)
{
    struct err e = { "" };
    char *bytes;
    size_t len;
    (void)state;
    assert_int_equal(file_read("/dev/zero", 300 * KIB, &bytes, &len, &e), -1);
    assert_string_equal(e.text, "'/dev/zero' is longer than 307200 bytes");
    assert_null(bytes);
}

/* At each of the allocations that 200 KiB need. */
static void test_read_without_memory(void **state)
{
    char *content = pattern(200 * KIB);
    int left = 0, rc = -1;
    (void)state;
    make_file(content, 200 * KIB);
    while (rc != 0) {
        struct err e = { "" };
        char *bytes;
        size_t len;
        assert_in_range(left, 0, 50);
        allocations_left = left++;
        rc = file_read(path, SIZE_MAX, &bytes, &len, &e);
        allocations_left = -1;
        assert_int_equal(err_is_set(&e), rc != 0);
        if (rc != 0)
            assert_memory_equal(e.text, "out of memory: ", 15);
        assert_int_equal(bytes == NULL, rc != 0);
        free(bytes);
    }
    assert_in_range(left, 4, 50); /* 64, 128 and 256 KiB */
    free(content);
}

static void check_content(const char *expected)
{
    struct err e = { "" };
    char *bytes;
    size_t len;
    assert_int_equal(file_read(path, SIZE_MAX, &bytes, &len, &e), 0);
    assert_string_equal(bytes, expected);
    free(bytes);
}

static void write_closing(int fd, const char *text)
{
    struct err e = { "" };
    assert_true(fd >= 0);
    assert_int_equal(file_write_synced(fd, path, text, strlen(text), &e), 0);
    assert_false(err_is_set(&e));
    close(fd);
}

static void test_append(void **state)
{
    struct err e = { "" };
    (void)state;
    write_closing(file_open_append(path, &e), "one\n"); /* creates */
    write_closing(file_open_append(path, &e), "");
    int first = file_open_append(path, &e);
    write_closing(file_open_append(path, &e), "two\n");
    write_closing(first, "three\n"); /* behind what another wrote meanwhile */
    check_content("one\ntwo\nthree\n");
    assert_false(err_is_set(&e));
}

static void test_create_never_overwrites(void **state)
{
    struct err e = { "" };
    char message[200];
    (void)state;
    write_closing(file_create(path, &e), "mine");
    assert_int_equal(file_create(path, &e), -1);
    snprintf(message, sizeof(message), "cannot write '%s': File exists", path);
    assert_string_equal(e.text, message);
    check_content("mine");
}

static void test_create_follows_no_link(void **state)
{
    char target[sizeof(path) + 8];
    struct err e = { "" };
    (void)state;
    snprintf(target, sizeof(target), "%s.target", path);
    assert_int_equal(symlink(target, path), 0);
    assert_int_equal(file_create(path, &e), -1);
    assert_int_equal(access(target, F_OK), -1);
}

/* A program that is started inherits none of them. */
static void test_closed_on_exec(void **state)
{
    struct err e = { "" };
    (void)state;
    const int opened[] = { file_create(path, &e), file_open_append(path, &e) };
    for (size_t i = 0; i < COUNT(opened); i++) {
        assert_true(opened[i] >= 0);
        assert_true((fcntl(opened[i], F_GETFD) & FD_CLOEXEC) != 0);
        close(opened[i]);
    }
}

static void test_what_cannot_be_opened(void **state)
{
    static const struct {
        int (*open)(const char *path, struct err *e);
        const char *path, *expected;
    } rows[] = {
        { file_open_append, "@/no/f", "cannot write '@/no/f': No such file or directory" },
        { file_create, "@/no/f", "cannot write '@/no/f': No such file or directory" },
        { file_open_append, "@", "cannot write '@': Is a directory" },
        { file_create, "@", "cannot write '@': File exists" },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct err e = { "" };
        assert_int_equal(rows[i].open(in_directory(rows[i].path), &e), -1);
        assert_string_equal(e.text, in_directory(rows[i].expected));
    }
}

static void test_a_full_disk(void **state)
{
    struct err e = { "" };
    (void)state;
    int fd = file_open_append("/dev/full", &e);
    assert_true(fd >= 0);
    assert_int_equal(file_write_synced(fd, "/dev/full", "", 0, &e), 0);
    assert_int_equal(file_write_synced(fd, "/dev/full", "x", 1, &e), -1);
    assert_string_equal(e.text, "cannot write '/dev/full': No space left on device");
    close(fd);
}

static void test_what_cannot_be_written(void **state)
{
    struct err unset = { "" }, closed = { "" };
    (void)state;
    make_file("", 0);
    int fd = open(path, O_RDONLY);
    assert_int_equal(file_write_synced(fd, "f", "x", 1, &unset), -1);
    assert_string_equal(unset.text, "cannot write 'f': Bad file descriptor");
    close(fd);
    assert_int_equal(file_write_synced(fd, "f", "", 0, &closed), -1); /* it cannot be synced */
    assert_string_equal(closed.text, "cannot write 'f': Bad file descriptor");
}

/* A limit in the middle: first a short write, then the error. */
static void test_written_in_part(void **state)
{
    struct rlimit before, small;
    struct err e = { "" };
    char *bytes = pattern(150);
    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 100;
    int fd = file_create(path, &e);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    int rc = file_write_synced(fd, "f", bytes, 150, &e);
    off_t size = lseek(fd, 0, SEEK_END);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    close(fd);
    free(bytes);
    assert_int_equal(rc, -1);
    assert_string_equal(e.text, "cannot write 'f': File too large");
    assert_int_equal(size, 100);
}

static void ignore_signal(int number)
{
    (void)number;
}

/* Signals that interrupt reading and writing. */
static void let_signals_interrupt(void)
{
    struct sigaction action = { .sa_handler = ignore_signal };
    assert_int_equal(sigaction(SIGUSR1, &action, NULL), 0);
}

static void disturb_parent(void)
{
    struct timespec pause = { 0, 10000000 };
    nanosleep(&pause, NULL);
    kill(getppid(), SIGUSR1);
    nanosleep(&pause, NULL);
}

enum { PIPED = 300 * KIB, PART = 100 * KIB }; /* more than a pipe takes at once */

/* In a child: writes in parts, resp. reads and tells by its status whether all was right. */
static void feed(int fd, const char *bytes)
{
    for (size_t done = 0; done < PIPED; done += PART) {
        disturb_parent();
        for (size_t part = 0; part < PART;) {
            ssize_t n = write(fd, bytes + done + part, PART - part);
            if (n <= 0)
                _exit(1);
            part += (size_t)n;
        }
    }
    _exit(0);
}

static void drain(int fd, const char *bytes)
{
    static char got[PIPED + 1];
    size_t len = 0;
    ssize_t n;
    disturb_parent(); /* after a part of it was written */
    disturb_parent(); /* and when there is no place for any */
    while ((n = read(fd, got + len, sizeof(got) - len)) > 0) {
        len += (size_t)n;
        if (len == 64 * KIB)
            disturb_parent();
    }
    _exit(len == PIPED && memcmp(got, bytes, PIPED) == 0 ? 0 : 1);
}

static void check_child(pid_t child)
{
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void test_read_interrupted_and_in_parts(void **state)
{
    int ends[2];
    char name[32];
    struct err e = { "" };
    char *content = pattern(PIPED);
    char *bytes;
    size_t len;
    (void)state;
    let_signals_interrupt();
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(ends[0]);
        feed(ends[1], content);
    }
    close(ends[1]);
    snprintf(name, sizeof(name), "/dev/fd/%d", ends[0]);
    int rc = file_read(name, SIZE_MAX, &bytes, &len, &e);
    close(ends[0]);
    check_child(child);
    assert_string_equal(e.text, "");
    assert_int_equal(rc, 0);
    check_bytes(bytes, len, content, PIPED);
    free(bytes);
    free(content);
}

/* A pipe cannot be synced, which is no error. */
static void test_write_interrupted_and_in_parts(void **state)
{
    int ends[2];
    struct err e = { "" };
    char *content = pattern(PIPED);
    (void)state;
    let_signals_interrupt();
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(ends[1]);
        drain(ends[0], content);
    }
    close(ends[0]);
    int rc = file_write_synced(ends[1], "pipe", content, PIPED, &e);
    close(ends[1]);
    check_child(child);
    assert_string_equal(e.text, "");
    assert_int_equal(rc, 0);
    free(content);
}

#define TEST(function) cmocka_unit_test_teardown(function, remove_file)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_read),
        TEST(test_what_cannot_be_read),
        TEST(test_endless),
        TEST(test_read_without_memory),
        TEST(test_append),
        TEST(test_create_never_overwrites),
        TEST(test_create_follows_no_link),
        TEST(test_closed_on_exec),
        TEST(test_what_cannot_be_opened),
        TEST(test_a_full_disk),
        TEST(test_what_cannot_be_written),
        TEST(test_written_in_part),
        TEST(test_read_interrupted_and_in_parts),
        TEST(test_write_interrupted_and_in_parts),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
