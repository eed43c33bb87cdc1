#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "results/store.h"

#include "base/file.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Each test runs in an empty directory of its own. */
static const char *const names[] = { "out",   "out.1", "out.2",  "out.3",  "out.4", "log",
                                     "log.1", "link",  "target", "params", "hard",  "soft" };

static int enter_directory(void **state)
{
    char *directory = strdup("/tmp/skampi-store-XXXXXX");
    if (directory == NULL || mkdtemp(directory) == NULL || chdir(directory) != 0)
        return -1;
    *state = directory;
    return 0;
}

static int leave_directory(void **state)
{
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (unlink(names[i]) != 0)
            rmdir(names[i]);
    int rc = chdir("/") == 0 && rmdir(*state) == 0 ? 0 : -1;
    free(*state);
    return rc;
}

static void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static void check_text(const char *path, const char *expected)
{
    struct err e = { "" };
    size_t len;
    char *bytes;
    if (file_read(path, 1 << 20, &bytes, &len, &e) != 0)
        fail_msg("%s", e.text);
    assert_string_equal(bytes, expected);
    free(bytes);
}

/* The log without its times, and without what it tells about a run before it begins. */
static void check_log(const char *expected)
{
    enum { TIME_LENGTH = sizeof("2026-01-31T23:59:59Z") };
    static const char *const left_out[] = { "run-parameters 0000000000000007",
                                            "run-processes 2 host:2", "run-header " };
    struct err e = { "" };
    char seen[1024] = "";
    size_t len;
    char *bytes;
    assert_int_equal(file_read("log", 1 << 20, &bytes, &len, &e), 0);
    for (char *line = strtok(bytes, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        bool out = false;
        assert_true(strlen(line) > TIME_LENGTH);
        for (size_t i = 0; i < sizeof(left_out) / sizeof(*left_out); i++)
            out = out || strncmp(line + TIME_LENGTH, left_out[i], strlen(left_out[i])) == 0;
        if (!out)
            strcat(strcat(seen, line + TIME_LENGTH), "\n");
    }
    assert_string_equal(seen, expected);
    free(bytes);
}

static bool is_there(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0;
}

static const char *const labels[] = { "col_a", "col_b", "col_c" };

static struct start start_of(const char *out, const char *log)
{
    return (struct start){ .out_path = out,
                           .log_path = log,
                           .header = "#@H\n",
                           .facts = "here",
                           .hosts = "host:2",
                           .processes = 2,
                           .fingerprint = 7,
                           .labels = labels,
                           .count = sizeof(labels) / sizeof(labels[0]),
                           .max_retries = RETRIES_UNLIMITED };
}

static int open_with(struct store *s, const char *out, const char *log, const char *params,
                     struct err *e)
{
    struct start start = start_of(out, log);
    start.parameter_path = params;
    return store_open(s, &start, e);
}

static struct store open_store(void)
{
    struct err e = { "" };
    struct store s;
    if (open_with(&s, "out", "log", NULL, &e) != 0)
        fail_msg("%s", e.text);
    return s;
}

static void test_a_run(void **state)
{
    struct err e = { "" };
    (void)state;
    struct store s = open_store();
    check_text("out", "#@H\n");
    check_log("run-begin out\n");
    assert_int_equal(store_begin_suite(&s, "col_a", &e), 0);
    check_log("run-begin out\nsuite-begin col_a\n");
    assert_int_equal(store_end_suite(&s, "col_a", "#a\n1 2\n#eol\n", &e), 0);
    check_text("out", "#@H\n#a\n1 2\n#eol\n");
    assert_int_equal(store_note(&s, "too late", &e), 0);
    assert_int_equal(store_finish(&s, "#end\n", &e), 0);
    store_release(&s);
    check_text("out", "#@H\n#a\n1 2\n#eol\n#end\n");
    check_log("run-begin out\nsuite-begin col_a\nsuite-end col_a\nnote too late\nrun-end out\n");
    assert_false(is_there("out.1"));
}

static void test_suite_that_fails(void **state)
{
    struct err e = { "" };
    (void)state;
    struct store s = open_store();
    assert_int_equal(store_begin_suite(&s, "col_a", &e), 0);
    assert_int_equal(store_fail_suite(&s, "col_a", "no room\nfor %s", &e), 0);
    store_release(&s);
    check_text("out", "#@H\n");
    check_log("run-begin out\nsuite-begin col_a\nsuite-failed col_a no room?for %s\n");
}

#define END "#skampi finished.\n"

static void test_earlier_runs_are_kept(void **state)
{
    static const char *const ended[] = { "first\n" END, "second\n" END, "third\n" END };
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct store s = open_store();
        store_release(&s);
        write_text("out", ended[i]);
    }
    check_text("out.1", ended[0]);
    check_text("out.2", ended[1]);
    check_text("out", ended[2]);
    check_log("run-begin out\n"
              "note moved 'out' to 'out.1'\nrun-begin out\n"
              "note moved 'out' to 'out.2'\nrun-begin out\n");
}

static void test_first_free_name(void **state)
{
    (void)state;
    write_text("out", END);
    write_text("out.1", "one");
    assert_int_equal(mkdir("out.2", 0777), 0);
    assert_int_equal(symlink("nowhere", "out.3"), 0);
    struct store s = open_store();
    store_release(&s);
    check_text("out.1", "one");
    check_text("out.4", END);
    check_text("out", "#@H\n");
    assert_false(is_there("nowhere"));
}

/* The run before was interrupted between the new name and the removal of the old one. */
static void test_interrupted_move(void **state)
{
    (void)state;
    write_text("out", END);
    assert_int_equal(link("out", "out.1"), 0);
    struct store s = open_store();
    store_release(&s);
    check_text("out.1", END);
    check_text("out", "#@H\n");
    assert_false(is_there("out.2"));
}

struct refusal_case {
    const char *out, *log, *message;
};

static const struct refusal_case refusal_cases[] = {
    { "out", "nowhere/log", "cannot write 'nowhere/log': No such file or directory" },
    { "nowhere/out", "log", "cannot write 'nowhere/out': No such file or directory" },
    { "out/out", "log", "cannot write 'out/out': Not a directory" },
    { "target", "log", "cannot write 'target': neither a plain file nor a device" },
    { "link", "log", "'link' is a symbolic link; name another @OUTFILE, or one with -o" },
    { "out", "out", "output file and log are the same file 'out'" },
    { "out", "./out", "output file and log are the same file 'out'" },
    { "soft", "target/log", "output file and log are the same file 'soft'" },
    { "params", "log", "output file and parameter file are the same file 'params'" },
    { "out", "params", "log and parameter file are the same file 'params'" },
    { "hard", "log", "output file and parameter file are the same file 'hard'" },
    { "out", "hard", "log and parameter file are the same file 'hard'" },
    { "/dev/full", "log", "cannot write '/dev/full': No space left on device" },
};

static void test_refusals(void **state)
{
    (void)state;
    write_text("out", "before");
    assert_int_equal(mkdir("target", 0777), 0);
    assert_int_equal(symlink("out", "link"), 0);
    assert_int_equal(symlink("target/log", "soft"), 0);
    write_text("params", "2026-01-31T23:59:59Z note looks like a log\ntorn");
    assert_int_equal(link("params", "hard"), 0);
    for (size_t i = 0; i < sizeof(refusal_cases) / sizeof(refusal_cases[0]); i++) {
        const struct refusal_case *c = &refusal_cases[i];
        struct err e = { "" };
        struct store s;
        assert_int_equal(open_with(&s, c->out, c->log, "params", &e), -1);
        assert_string_equal(e.text, c->message);
        store_release(&s);
        assert_true(is_there("out") && is_there("link"));
        assert_false(is_there("out.1") || is_there("link.1") || is_there("target/log"));
        check_text("out", "before");
        check_text("params", "2026-01-31T23:59:59Z note looks like a log\ntorn");
    }
}

/* The parameter file may be named by a link, the output file as it is. */
static void test_parameter_file_behind_link(void **state)
{
    static const char *const cases[][2] = { { "target", "log" }, { "out", "target" } };
    (void)state;
    write_text("target", "");
    assert_int_equal(symlink("target", "params"), 0);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct err e = { "" };
        struct store s;
        assert_int_equal(open_with(&s, cases[i][0], cases[i][1], "params", &e), -1);
        assert_non_null(strstr(e.text, "and parameter file are the same file 'target'"));
        store_release(&s);
        check_text("target", "");
        assert_false(is_there("out") || is_there("log"));
    }
}

static void test_names_that_become_the_same(void **state)
{
    struct err e = { "" };
    struct store s;
    (void)state;
    assert_int_equal(open_with(&s, "out", "./out", NULL, &e), -1);
    assert_string_equal(e.text, "output file and log are the same file 'out'");
    store_release(&s);
    assert_false(is_there("out"));
}

/* Another process that has the store open until it is killed. */
static pid_t start_another(void)
{
    char ready;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        struct err e = { "" };
        struct store s;
        if (open_with(&s, "out", "log", NULL, &e) != 0 || write(ends[1], "", 1) != 1)
            _exit(1);
        for (;;)
            pause();
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &ready, 1), 1);
    close(ends[0]);
    return pid;
}

static void test_second_run_at_the_same_time(void **state)
{
    struct err e = { "" };
    struct store s;
    (void)state;
    pid_t pid = start_another();
    int rc = open_with(&s, "out", "log", NULL, &e);
    store_release(&s);
    bool moved = is_there("out.1");
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    assert_int_equal(rc, -1);
    assert_string_equal(e.text, "another skampi is running here, it writes 'log'; wait for it, or "
                                "start in another directory");
    assert_false(moved);
    check_text("out", "#@H\n");
    check_log("run-begin out\n");
    s = open_store(); /* the other one is gone, and its lock with it */
    store_release(&s);
}

static void test_output_untouched_without_log(void **state)
{
    struct err e = { "" };
    struct store s;
    (void)state;
    write_text("out", "before");
    assert_int_equal(open_with(&s, "out", "nowhere/log", NULL, &e), -1);
    store_release(&s);
    check_text("out", "before");
}

/* As on a full disk: only a part of the text still fits. */
static void limit_file_size(rlim_t bytes)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes == 0 ? limit.rlim_max : bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void test_block_that_does_not_fit(void **state)
{
    char block[2048];
    struct err e = { "" };
    (void)state;
    memset(block, 'x', sizeof(block) - 1);
    block[sizeof(block) - 1] = '\0';
    struct store s = open_store();
    limit_file_size(1024);
    int rc = store_end_suite(&s, "col_a", block, &e);
    limit_file_size(0);
    assert_int_equal(rc, -1);
    assert_string_equal(e.text, "cannot write 'out': File too large");
    check_text("out", "#@H\n");
    check_log("run-begin out\nsuite-unwritten col_a cannot write 'out': File too large\n");

    struct err none = { "" };
    assert_int_equal(store_end_suite(&s, "col_b", "#b\n", &none), 0);
    check_text("out", "#@H\n#b\n");
    store_release(&s);
}

static void test_header_that_does_not_fit(void **state)
{
    char header[2048];
    struct start start = start_of("out", "log");
    struct err e = { "" };
    struct store s;
    (void)state;
    memset(header, 'x', sizeof(header) - 1);
    header[sizeof(header) - 1] = '\0';
    start.header = header;
    limit_file_size(1024);
    int rc = store_open(&s, &start, &e);
    limit_file_size(0);
    store_release(&s);
    assert_int_equal(rc, -1);
    assert_false(is_there("out"));
}

#define BLOCK(label) "#-----\n#/*@in" label ".ski*/\n1 2\n#eol\n"

/* Begins a run, measures the first suite, and is interrupted in the second. */
static void leave_unfinished(void)
{
    struct err e = { "" };
    struct store s = open_store();
    assert_int_equal(store_begin_suite(&s, "col_a", &e), 0);
    assert_int_equal(store_end_suite(&s, "col_a", BLOCK("col_a"), &e), 0);
    assert_int_equal(store_begin_suite(&s, "col_b", &e), 0);
    store_release(&s);
}

static void append_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "a");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static void test_unfinished_run_goes_on(void **state)
{
    struct err e = { "" };
    char *out;
    size_t len;
    (void)state;
    leave_unfinished();
    append_text("out", "#-----\n#/*@incol_b.ski*/\n1 ");
    struct store s = open_store();
    assert_int_equal(s.recovery.left, 2);
    assert_int_equal(s.recovery.order[0], 2);
    assert_int_equal(s.recovery.order[1], 1);
    check_text("out", "#@H\n" BLOCK("col_a"));
    assert_int_equal(store_end_suite(&s, "col_c", BLOCK("col_c"), &e), 0);
    assert_int_equal(store_end_suite(&s, "col_b", BLOCK("col_b"), &e), 0);
    assert_int_equal(store_finish(&s, END, &e), 0);
    store_release(&s);
    check_log("run-begin out\nsuite-begin col_a\nsuite-end col_a\nsuite-begin col_b\n"
              "run-resume out\nsuite-crashed col_b the run ended within it\n"
              "suite-end col_c\nsuite-end col_b\nrun-end out\n");
    assert_int_equal(file_read("out", 1 << 20, &out, &len, &e), 0);
    char *note = strstr(out, "#@RESUMED ");
    assert_true(note == out + strlen("#@H\n" BLOCK("col_a")));
    assert_non_null(
        strstr(note, ", after 1 of 3 suites\n# here\n" BLOCK("col_c") BLOCK("col_b") END));
    free(out);
    assert_false(is_there("out.1"));
}

/* The crash was between the block and the log's line, resp. between trailer and log. */
static void test_what_the_log_missed(void **state)
{
    struct err e = { "" };
    (void)state;
    leave_unfinished();
    append_text("out", BLOCK("col_b"));
    struct store s = open_store();
    assert_int_equal(s.recovery.left, 1);
    store_release(&s);
    append_text("out", BLOCK("col_c") END);
    s = open_store();
    assert_int_equal(s.recovery.left, 0);
    assert_int_equal(store_finish(&s, END, &e), 0);
    store_release(&s);
    check_text("out", "#@H\n" BLOCK("col_a") BLOCK("col_b") BLOCK("col_c") END);
    check_log("run-begin out\nsuite-begin col_a\nsuite-end col_a\nsuite-begin col_b\n"
              "run-resume out\nsuite-end col_b\nrun-resume out\nsuite-end col_c\nrun-end out\n");
}

static void test_other_hosts(void **state)
{
    struct err e = { "" };
    struct start start = start_of("out", "log");
    struct store s;
    (void)state;
    leave_unfinished();
    start.hosts = "more:1 host:1";
    for (int i = 0; i < 2; i++) {
        assert_int_equal(store_open(&s, &start, &e), 0);
        store_release(&s);
    }
    check_log("run-begin out\nsuite-begin col_a\nsuite-end col_a\nsuite-begin col_b\n"
              "run-processes 2 more:1 host:1\nrun-resume out\n"
              "suite-crashed col_b the run ended within it\nrun-resume out\n");
}

static void test_fresh_start(void **state)
{
    struct err e = { "" };
    struct start start = start_of("out", "log");
    struct store s;
    (void)state;
    leave_unfinished();
    start.fresh = true;
    assert_int_equal(store_open(&s, &start, &e), 0);
    assert_int_equal(s.recovery.left, 3);
    assert_string_equal(text_get(&s.kept), "out.1");
    store_release(&s);
    check_text("out.1", "#@H\n" BLOCK("col_a"));
    check_text("out", "#@H\n");
    write_text("log", "2026-01-31T23:59:59Z note x\nfoul\n");
    assert_int_equal(open_with(&s, "out", "log", NULL, &e), -1);
    assert_non_null(strstr(e.text, "'log' is damaged in line 2; "));
    store_release(&s);
    e.text[0] = '\0';
    assert_int_equal(store_open(&s, &start, &e), 0);
    store_release(&s);
    check_text("log.1", "2026-01-31T23:59:59Z note x\nfoul\n");
    check_log("note moved 'out' to 'out.2'\nrun-begin out\n");
}

static void test_log_on_full_disk(void **state)
{
    struct err e = { "" };
    struct store s;
    (void)state;
    assert_int_equal(open_with(&s, "out", "/dev/full", NULL, &e), -1);
    assert_string_equal(e.text, "cannot write '/dev/full': No space left on device");
    store_release(&s);
}

static void test_device_as_output(void **state)
{
    struct err e = { "" };
    struct store s;
    (void)state;
    assert_int_equal(open_with(&s, "/dev/null", "log", "/dev/null", &e), 0);
    assert_int_equal(store_end_suite(&s, "col_a", "#a\n", &e), 0);
    assert_int_equal(store_finish(&s, "#end\n", &e), 0);
    store_release(&s);
    check_log("run-begin /dev/null\nsuite-end col_a\nrun-end /dev/null\n");
}

static void test_release_of_nothing(void **state)
{
    struct store s = { 0 };
    (void)state;
    int fd = dup(0);
    assert_true(fd >= 0 || fcntl(0, F_GETFD) < 0);
    store_release(&s);
    store_release(&s);
    assert_true(fd < 0 || fcntl(0, F_GETFD) >= 0); /* descriptor 0 is not ours */
    if (fd >= 0)
        close(fd);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, enter_directory, leave_directory)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_a_run),
        TEST(test_suite_that_fails),
        TEST(test_earlier_runs_are_kept),
        TEST(test_first_free_name),
        TEST(test_interrupted_move),
        TEST(test_refusals),
        TEST(test_parameter_file_behind_link),
        TEST(test_names_that_become_the_same),
        TEST(test_second_run_at_the_same_time),
        TEST(test_output_untouched_without_log),
        TEST(test_block_that_does_not_fit),
        TEST(test_header_that_does_not_fit),
        TEST(test_unfinished_run_goes_on),
        TEST(test_what_the_log_missed),
        TEST(test_other_hosts),
        TEST(test_fresh_start),
        TEST(test_log_on_full_disk),
        TEST(test_device_as_output),
        TEST(test_release_of_nothing),
    };
    signal(SIGXFSZ, SIG_IGN);
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
