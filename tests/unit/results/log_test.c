#include "../test.h"
#include "../text_files.h"

#include "results/log.h"

static const char path[] = "log";

/* Replaces the C library's fcntl to simulate the file system's answer to a lock. */
static int lock_errno;
static struct flock lock_wanted;

int fcntl(int fd, int cmd, ...)
{
    va_list args;
    if (cmd == F_SETFL) /* of a device */
        return 0;
    assert_int_equal(cmd, F_SETLK);
    va_start(args, cmd);
    lock_wanted = *va_arg(args, struct flock *);
    va_end(args);
    if (lock_errno == ENOENT) /* the run that held the lock removes the file */
        return unlink(path);
    errno = lock_errno;
    return lock_errno == 0 ? 0 : -1;
}

static void append(enum log_keyword keyword, const char *rest)
{
    LOCAL_TEXT line = { 0 };
    int fd = log_open(path, NO_ERR);
    assert_true(fd >= 0);
    log_line(&line, time(NULL), keyword, rest);
    assert_int_equal(file_append(fd, path, line.s, line.len, NO_ERR), 0);
    close(fd);
}

/* The line with every digit replaced by '9': the time has a fixed form. */
static void check_log(const char *expected)
{
    LOCAL_STRING text = text_of(path);
    for (char *p = text; *p != '\0'; p++)
        if (*p >= '0' && *p <= '9')
            *p = '9';
    assert_string_equal(text, expected);
}

static const struct line_case {
    enum log_keyword keyword;
    const char *rest, *expected;
} line_cases[] = {
    { LOG_RUN_BEGIN, "skampi.out", "9999-99-99T99:99:99Z run-begin skampi.out\n" },
    { LOG_SUITE_BEGIN, "p2p_a", "9999-99-99T99:99:99Z suite-begin p9p_a\n" },
    { LOG_SUITE_AGAIN, "p2p_a", "9999-99-99T99:99:99Z suite-again p9p_a\n" },
    { LOG_SUITE_END, "p2p_a", "9999-99-99T99:99:99Z suite-end p9p_a\n" },
    { LOG_NOTE, "", "9999-99-99T99:99:99Z note \n" },
    { LOG_SUITE_FAILED, "p2p_a no room", "9999-99-99T99:99:99Z suite-failed p9p_a no room\n" },
    { LOG_NOTE, "a\nsuite-end b\033[0m\177\t", "9999-99-99T99:99:99Z note a?suite-end b?[9m? \n" },
    { LOG_NOTE, "a\302\233m\302\240", "9999-99-99T99:99:99Z note a?m\302\240\n" },
    { LOG_NOTE, "K\303\266ln %s", "9999-99-99T99:99:99Z note K\303\266ln %s\n" },
    { LOG_RUN_END, "skampi.out", "9999-99-99T99:99:99Z run-end skampi.out\n" },
};

TEST_IN_DIRECTORY(test_lines)
{
    EACH(c, line_cases) {
        unlink(path);
        append(c->keyword, c->rest);
        check_log(c->expected);
        struct err e = { "" };
        int fd = log_open(path, &e); /* and a file with such a line is a log */
        assert_string_equal(e.text, "");
        close(fd);
    }
}

#define LINE "9999-99-99T99:99:99Z note "

/* Where lines go; those of results only into the journal. */
TEST_IN_DIRECTORY(test_places)
{
    static const enum log_keyword keywords[] = { LOG_NOTE, LOG_SUITE_PASS, LOG_SUITE_END };
    const struct logs l = { path, "out.journal", log_open(path, NO_ERR),
                            log_open("out.journal", NO_ERR) };
    for (size_t i = 0; i < COUNT(keywords); i++)
        assert_int_equal(logs_add(&l, "#@H\n\n1 2\n", keywords[i], "x", NO_ERR), 0);
    close(l.log_fd);
    close(l.journal_fd);
    LOCAL_STRING journal = text_of("out.journal");
    LOCAL_STRING log = text_of(path);
    char form[256] = "";
    for (char *line = strtok(journal, "\n"); line != NULL; line = strtok(NULL, "\n"))
        strcat(strcat(form, line + (*line == ' ' ? 0 : 21)), "\n");
    assert_string_equal(form, " #@H\n \n 1 2\nsuite-pass x\n #@H\n \n 1 2\nsuite-end x\n");
    assert_string_equal(log + 21 + strlen("note x\n") + 21, "suite-end x\n");
}

/* In a journal, a torn line of results is skampi's. */
TEST_IN_DIRECTORY(test_torn_journal)
{
    static const char *const texts[] = { "2026-01", LINE "a\n #@", LINE "a\n2026" };
    for (size_t i = 0; i < COUNT(texts); i++) {
        write_text("out.journal", texts[i]);
        int fd = log_open("out.journal", NO_ERR);
        assert_true(fd >= 0);
        check_text("out.journal", i < 1 ? "" : LINE "a\n");
        close(fd);
    }
    write_text("out.journal", "mine");
    FAILS(log_open("out.journal", &e),
          "'out.journal' is not a journal of skampi and is left unchanged; "
          "name another @OUTFILE");
}

TEST_IN_DIRECTORY(test_time_is_now)
{
    unlink(path);
    append(LOG_NOTE, "x");
    LOCAL_STRING text = text_of(path);
    assert_in_range(strtol(text, NULL, 10), 2024, 2200);
    assert_memory_equal(text + 19, "Z note x", 8);
}

static const struct torn_case {
    const char *before, *expected; /* what is in the file; what is left of it */
} torn_cases[] = {
    { "", "" },
    { LINE "a\n", LINE "a\n" },
    { LINE "a\nb\n", LINE "a\nb\n" },
    { LINE "a\n9999-99-99T99:99:99Z suite-end to", LINE "a\n" },
    { LINE "\n\n", LINE "\n\n" },
    { LINE "a\n2", LINE "a\n" },
    { LINE "torn", "" },
    { "2026-01-31T23:59:59Z note", "" },
    { "2026-01-31T23:59:59Z run-be", "" },
    { "2026-01-31T23:59:59Z ", "" },
    { "2026-01-31T23:59:59Z", "" },
    { "2026-", "" },
};

TEST_IN_DIRECTORY(test_torn_lines_are_cut)
{
    EACH(c, torn_cases) {
        char expected[128];
        write_text(path, c->before);
        append(LOG_NOTE, "next");
        snprintf(expected, sizeof(expected), "%s9999-99-99T99:99:99Z note next\n", c->expected);
        check_log(expected);
    }
}

static void check_refusal(const char *name, const char *format)
{
    char expected[256];
    struct err e = { "" };
    snprintf(expected, sizeof(expected), format, name);
    assert_int_equal(log_open(name, &e), -1);
    assert_string_equal(e.text, expected);
    e.text[0] = '\0';
    struct text all = { 0 };
    assert_int_equal(log_read(-1, name, &all, &e), -1);
    assert_true(err_is_set(&e));
}

TEST_IN_DIRECTORY(test_other_files_are_unchanged)
{
    static const char *const texts[] = {
        "\n",
        "2",
        "2026",
        "2026-01-31T23:59:59Z\n",
        "2026-01-31T23:59:59Z no\n",
        "2026-01-31T23:59:59Z note\n",
        "2026-01-31T23:59:59Z note:\n",
        "2026-01-31T23:59:59Z error x\n",
        "2026-01-31T23:59:59Z notes are here\n",
        "2026-01-31 23:59:59Z note x\n",
        "2026-01-31T23:59:5xZ note x\n",
        "2026-01-31T23:59: 9Z note x\n",
        "2026-01-31T23:59:59Z \001",
        " 2026-01-31T23:59:59Z note x\n",
        "#@COMMENT\n2026-01-31T23:59:59Z note x\ntorn",
        "@VERSION 4.1",
    };
    for (size_t i = 0; i < COUNT(texts); i++) {
        write_text(path, texts[i]);
        check_refusal(path, "'%s' is not a log of skampi and is left unchanged; name another "
                            "@LOGFILE");
        LOCAL_STRING text = text_of(path);
        assert_string_equal(text, texts[i]);
    }
}

TEST_IN_DIRECTORY(test_not_a_plain_file)
{
    char name[sizeof(path) + 8];
    check_refusal(".", "cannot write '%s': Is a directory");
    unlink(path);
    snprintf(name, sizeof(name), "%s.link", path);
    assert_int_equal(symlink(path, name), 0);
    check_refusal(name, "cannot write '%s': it is a symbolic link; name another file");
    assert_int_not_equal(access(path, F_OK), 0);
    append(LOG_NOTE, "x");
    check_refusal(name, "cannot write '%s': it is a symbolic link; name another file");
    check_log("9999-99-99T99:99:99Z note x\n");
    unlink(name);
}

/* Text that a user has added to the log is not removed. */
TEST_IN_DIRECTORY(test_added_text_is_not_cut)
{
    static const char *const words[] = { "my words", "I wrote this", "#",
                                         "9999-99-99T99:99:99Z noted" };
    for (size_t i = 0; i < COUNT(words); i++) {
        struct err e = { "" };
        char before[128];
        snprintf(before, sizeof(before), LINE "a\n%s", words[i]);
        write_text(path, before);
        assert_int_equal(log_open(path, &e), -1);
        assert_non_null(
            strstr(e.text, "is not skampi's and has no newline; complete or remove it"));
        check_log(before);
    }
}

static const struct {
    int answer;
    bool refused;
} lock_cases[] = {
    { 0, false },      { EAGAIN, true },  { EACCES, true },      { ENOLCK, false },
    { ENOSYS, false }, { EINVAL, false }, { EOPNOTSUPP, false }, { ENOENT, true },
};

TEST_IN_DIRECTORY(test_lock)
{
    EACH(c, lock_cases) {
        struct err e = { "" };
        write_text(path, LINE "a\n2026-01");
        lock_errno = c->answer;
        lock_wanted = (struct flock){ .l_len = -1 };
        int fd = log_open(path, &e);
        lock_errno = 0;
        assert_int_equal(fd < 0, c->refused);
        assert_true(strstr(e.text, "another skampi is running here") != NULL || fd >= 0);
        if (file_exists(path))
            check_log(fd < 0 ? LINE "a\n9999-99" : LINE "a\n");
        assert_int_equal(lock_wanted.l_type, F_WRLCK);
        assert_int_equal(lock_wanted.l_whence, SEEK_SET);
        assert_true(lock_wanted.l_start == 0 && lock_wanted.l_len == 0);
        if (fd >= 0)
            close(fd);
    }
}

static const struct apart_case {
    const char *line;
    enum log_keyword keyword;
    const char *rest;
} apart_cases[] = {
    { LINE "a b", LOG_NOTE, "a b" },
    { LINE, LOG_NOTE, "" },
    { "2026-01-31T23:59:59Z run-end skampi.out", LOG_RUN_END, "skampi.out" },
    { "2026-01-31T23:59:59Z run-ended x", LOG_KEYWORDS, NULL },
    { "2026-01-31T23:59:59Z note", LOG_KEYWORDS, NULL },
    { "2026-01-31T23:59:59Z ", LOG_KEYWORDS, NULL },
    { "2026-01-31 23:59:59Z note x", LOG_KEYWORDS, NULL },
    { "note x", LOG_KEYWORDS, NULL },
    { "", LOG_KEYWORDS, NULL },
};

TEST_IN_DIRECTORY(test_split_line)
{
    EACH(c, apart_cases) {
        const char *rest;
        assert_int_equal(log_split_line(c->line, &rest), c->keyword);
        if (c->rest != NULL)
            assert_string_equal(rest, c->rest);
    }
}

TEST_IN_DIRECTORY(test_cannot_be_opened)
{
    FAILS(log_open("/no-such-directory/skampi.log", &e),
          "cannot write '/no-such-directory/skampi.log': No such file or directory");
}

TEST_IN_DIRECTORY(test_disk_full)
{
    lock_errno = EAGAIN; /* a device may be the log of several runs */
    const struct logs l = { "/dev/full", NULL, log_open("/dev/full", NO_ERR), -1 };
    lock_errno = 0;
    assert_true(l.log_fd >= 0);
    FAILS(logs_add(&l, "", LOG_NOTE, "x", &e), "cannot write '/dev/full': No space left on device");
    close(l.log_fd);
}

/* Opening for reading changes nothing. */
TEST_IN_DIRECTORY(test_read)
{
    LOCAL_TEXT all = { 0 };
    unlink(path);
    assert_int_equal(log_read(-1, path, &all, NO_ERR), 0);
    assert_null(all.s);
    assert_int_not_equal(access(path, F_OK), 0);
    write_text(path, LINE "a\n2026-01");
    lock_errno = EAGAIN; /* another process holds the lock */
    assert_int_equal(log_read(-1, path, &all, NO_ERR), 0);
    lock_errno = 0;
    assert_string_equal(all.s, LINE "a\n2026-01");
    check_log(LINE "a\n9999-99");
}
