#include "../test.h"

#include "opened.h"

TEST_IN_DIRECTORY(test_run)
{
    struct store s = open_store();
    check_text("out", "#@H\n");
    check_log("run-begin out\n");
    assert_int_equal(store_log(&s, LOG_SUITE_BEGIN, NO_ERR, "%s", "col_a"), 0);
    check_log("run-begin out\nsuite-begin col_a\n");
    assert_int_equal(store_end_suite(&s, "col_a", "#a\n1 2\n#eol\n", NO_ERR), 0);
    check_text("out", "#@H\n#a\n1 2\n#eol\n");
    assert_int_equal(store_log(&s, LOG_NOTE, NO_ERR, "too late"), 0);
    assert_int_equal(store_finish(&s, "#end\n", false, NO_ERR), 0);
    store_release(&s);
    check_text("out", "#@H\n#a\n1 2\n#eol\n#end\n");
    check_log("run-begin out\nsuite-begin col_a\nsuite-end col_a\nnote too late\nrun-end out\n");
    assert_false(file_exists("out.1"));
}

TEST_IN_DIRECTORY(test_failed_suite)
{
    struct store s = open_store();
    assert_int_equal(store_log(&s, LOG_SUITE_BEGIN, NO_ERR, "%s", "col_a"), 0);
    assert_int_equal(store_fail_suite(&s, "col_a", "no room\nfor %s", NO_ERR), 0);
    store_release(&s);
    check_text("out", "#@H\n");
    check_log("run-begin out\nsuite-begin col_a\nsuite-failed col_a no room?for %s\n");
}

/* Starts a process that keeps the store open until it is killed. */
static pid_t start_another(void)
{
    char ready;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        struct store s;
        if (open_with(&s, "out", "log", NULL, NO_ERR) != 0 || write(ends[1], "", 1) != 1)
            _exit(1);
        for (;;)
            pause();
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &ready, 1), 1);
    close(ends[0]);
    return pid;
}

/* With the same log, and with the same result file. */
TEST_IN_DIRECTORY(test_second_run_at_the_same_time)
{
    static const char *const files[][3] = { { "other", "log", "log" },
                                            { "out", "other-log", "out.journal" } };
    struct err e[2] = { { "" }, { "" } };
    LOCAL(store) s;
    pid_t pid = start_another();
    int rc = 0;
    for (int i = 0; i < 2; i++) {
        rc += open_with(&s, files[i][0], files[i][1], NULL, &e[i]);
        store_release(&s);
    }
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    assert_int_equal(rc, -2);
    for (int i = 0; i < 2; i++) {
        char message[128];
        snprintf(message, sizeof(message),
                 "another skampi is running here and writes '%s'; wait for it, or start in another "
                 "directory",
                 files[i][2]);
        assert_string_equal(e[i].text, message);
    }
    assert_false(file_exists("out.1") || file_exists("other"));
    check_text("out", "#@H\n");
    check_log("run-begin out\n");
    s = open_store(); /* the other process is gone, and so is its lock */
}

TEST_IN_DIRECTORY(test_block_that_does_not_fit)
{
    char block[2048];
    struct err e = { "" };
    memset(block, 'x', sizeof(block) - 1);
    block[sizeof(block) - 1] = '\0';
    LOCAL(store) s = open_store();
    limit_file_size(1024);
    int rc = store_end_suite(&s, "col_a", block, &e);
    limit_file_size(0);
    assert_int_equal(rc, -1);
    assert_string_equal(e.text, "cannot write 'out.journal': File too large");
    check_text("out", "#@H\n");
    check_log("run-begin out\nsuite-unwritten col_a cannot write 'out.journal': File too large\n");

    struct err none = { "" };
    assert_int_equal(store_end_suite(&s, "col_b", "#b\n", &none), 0);
    check_text("out", "#@H\n#b\n");
}

TEST_IN_DIRECTORY(test_header_that_does_not_fit)
{
    char header[2048];
    struct run_request start = start_of("out", "log");
    struct store s;
    memset(header, 'x', sizeof(header) - 1);
    header[sizeof(header) - 1] = '\0';
    start.header = header;
    limit_file_size(1024);
    int rc = store_open(&s, &start, NO_ERR);
    limit_file_size(0);
    store_release(&s);
    assert_int_equal(rc, -1);
    assert_false(file_exists("out"));
}

#define BLOCK(label) "#-----\n#/*@in" label ".ski*/\n1 2\n#eol\n"

/* Begins a run, measures the first suite, and is interrupted in the second. */
static void leave_unfinished(void)
{
    LOCAL(store) s = open_store();
    assert_int_equal(store_log(&s, LOG_SUITE_BEGIN, NO_ERR, "%s", "col_a"), 0);
    assert_int_equal(store_end_suite(&s, "col_a", BLOCK("col_a"), NO_ERR), 0);
    assert_int_equal(store_log(&s, LOG_SUITE_BEGIN, NO_ERR, "%s", "col_b"), 0);
}

static void append_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "a");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static void measure(struct store *s, const char *label, const char *block)
{
    assert_int_equal(store_end_suite(s, label, block, NO_ERR), 0);
}

static void end(struct store *s, bool merge)
{
    assert_int_equal(store_finish(s, END, merge, NO_ERR) | store_complete(s, NO_ERR), 0);
    store_release(s);
    assert_false(file_exists("out.journal"));
}

/* A block that was torn by a crash, which the journal does not have, is kept. */
TEST_IN_DIRECTORY(test_unfinished_run_is_resumed)
{
    leave_unfinished();
    append_text("out", "#-----\n#/*@incol_b.ski*/\n1 ");
    struct store s = open_store();
    assert_int_equal(s.recovery.left, 2);
    assert_int_equal(s.recovery.order[0], 2);
    assert_int_equal(s.recovery.order[1], 1);
    check_text("out", "#@H\n" BLOCK("col_a"));
    measure(&s, "col_c", BLOCK("col_c"));
    measure(&s, "col_b", BLOCK("col_b"));
    end(&s, false);
    check_log("run-begin out\nsuite-begin col_a\nsuite-end col_a\nsuite-begin col_b\n"
              "note 'out' was replaced or changed after the last start; it was written again with "
              "all results, and that file is kept as 'out.1'\n"
              "suite-crashed col_b the run ended during the suite\nrun-resume out\n"
              "suite-end col_c\nsuite-end col_b\nrun-end out\n");
    LOCAL_STRING out = text_of("out");
    assert_memory_equal(out, "#@H\n" BLOCK("col_a") "#@RESUMED ",
                        strlen("#@H\n" BLOCK("col_a") "#@RESUMED "));
    assert_non_null(
        strstr(out, ", after 1 of 3 suites\n# here\n" BLOCK("col_c") BLOCK("col_b") END));
    check_text("out.1", "#@H\n" BLOCK("col_a") "#-----\n#/*@incol_b.ski*/\n1 ");
    assert_false(file_exists("out.2"));
}

static int syncs;

/* In place of the C library's. */
int fsync(int fd)
{
    syncs++;
    return fd < 0;
}

/* The journal is written first: the results may lack any part of their end. */
TEST_IN_DIRECTORY(test_results_lack_the_end)
{
    static const char all[] = "#@H\n" BLOCK("col_a") BLOCK("col_b") BLOCK("col_c") END;
    for (size_t len = 0; len < sizeof(all); len++) {
        remove_all();
        struct store s = open_store();
        measure(&s, "col_a", BLOCK("col_a"));
        measure(&s, "col_b", BLOCK("col_b"));
        measure(&s, "col_c", BLOCK("col_c"));
        assert_int_equal(store_finish(&s, END, false, NO_ERR), 0);
        store_release(&s);
        assert_int_equal(truncate("out", (off_t)len), 0);
        syncs = 0;
        s = open_store();
        assert_int_equal(syncs, 1 + (len < sizeof(all) - 1)); /* journal, and results */
        assert_int_equal(s.recovery.left, 0);
        assert_int_equal(store_finish(&s, END, false, NO_ERR) | store_complete(&s, NO_ERR), 0);
        store_release(&s);
        check_text("out", all);
        assert_int_equal(count_files(), 2);
    }
}

/* A removed file is written again, also under a name that this start gives it. */
TEST_IN_DIRECTORY(test_removed_results)
{
    struct run_request start = start_of("out", "log");
    leave_unfinished();
    unlink("out");
    struct store s = open_store();
    assert_string_equal(text_get(&s.news),
                        "'out' was removed; it was written again from 'out.journal'\n");
    store_release(&s);
    check_text("out", "#@H\n" BLOCK("col_a"));
    assert_int_equal(truncate("out", 3), 0);
    start.fresh = true;
    assert_int_equal(store_open(&s, &start, NO_ERR), 0);
    store_release(&s);
    check_text("out.1", "#@H\n" BLOCK("col_a"));
}

/* Lines about passes are on the disk with the next other one; the log's need not be. */
TEST_IN_DIRECTORY(test_synced)
{
    static const enum log_keyword unsynced[] = { LOG_SUITE_PASS, LOG_SUITE_AGAIN, LOG_NOTE,
                                                 LOG_MERGE_END };
    LOCAL(store) s = open_store();
    for (enum log_keyword k = 0; k < LOG_KEYWORDS; k++) {
        bool waits = false;
        for (size_t i = 0; i < COUNT(unsynced); i++)
            waits = waits || unsynced[i] == k;
        syncs = 0;
        assert_int_equal(store_log(&s, k, NO_ERR, "x"), 0);
        assert_int_equal(syncs, !waits);
    }
    syncs = 0;
    measure(&s, "col_a", BLOCK("col_a"));
    assert_int_equal(syncs, 2); /* journal and results */
}

/* A run whose merge was interrupted may have only the name by which it is kept. */
TEST_IN_DIRECTORY(test_interrupted_merge)
{
    struct store s = open_store();
    measure(&s, "col_a", BLOCK("col_a"));
    assert_int_equal(store_finish(&s, END, true, NO_ERR), 0);
    store_release(&s);
    assert_int_equal(rename("out", "out.2"), 0);
    write_text("out", "");
    write_text("out.1", "#@I\n" END);
    write_text("out.3", "#@I\n" END);
    s = open_store();
    assert_true(s.recovery.past.merging);
    assert_int_equal(s.recovery.left, 0);
    assert_false(file_exists("out.2"));
    check_text("out", "#@H\n" BLOCK("col_a") END);
    end(&s, true);
    s = open_store();
    assert_true(s.recovery.keeps && !s.recovery.resumes);
    store_release(&s);
    check_log("run-begin out\nsuite-end col_a\nmerge-begin out\nrun-end out\n"
              "run-resume out\nnote moved 'out' to 'out.2'\nrun-begin out\n");
}

/* Another program's file in its place is kept, and the log records it. */
TEST_IN_DIRECTORY(test_replaced_during_the_run)
{
    LOCAL(store) s = open_store();
    unlink("out");
    write_text("out", "mine");
    measure(&s, "col_a", BLOCK("col_a"));
    assert_non_null(strstr(text_get(&s.news), "that file is kept as 'out.1'"));
    store_release(&s);
    check_text("out", "#@H\n" BLOCK("col_a"));
    check_text("out.1", "mine");
    check_log(
        "run-begin out\nsuite-end col_a\nnote 'out' was replaced or changed during the run; it "
        "was written again with all results, and that file is kept as 'out.1'\n");
    s = open_store();
    assert_int_equal(s.recovery.left, 2);
}

TEST_IN_DIRECTORY(test_other_hosts)
{
    struct run_request start = start_of("out", "log");
    struct store s;
    leave_unfinished();
    start.hosts = "more:1 host:1";
    for (int i = 0; i < 2; i++) {
        assert_int_equal(store_open(&s, &start, NO_ERR), 0);
        store_release(&s);
    }
    check_log("run-begin out\nsuite-begin col_a\nsuite-end col_a\nsuite-begin col_b\n"
              "run-processes 2 more:1 host:1\n"
              "suite-crashed col_b the run ended during the suite\n"
              "run-resume out\nrun-resume out\n");
}

TEST_IN_DIRECTORY(test_fresh_start)
{
    struct err e = { "" };
    struct run_request start = start_of("out", "log");
    struct store s;
    leave_unfinished();
    start.fresh = true;
    assert_int_equal(store_open(&s, &start, &e), 0);
    assert_int_equal(s.recovery.left, 3);
    assert_string_equal(text_get(&s.kept), "out.1");
    store_release(&s);
    check_text("out.1", "#@H\n" BLOCK("col_a"));
    check_text("out", "#@H\n");
    write_text("out.journal", "2026-01-31T23:59:59Z run-shuffle 1\nfoul\n");
    assert_int_equal(open_with(&s, "out", "log", NULL, &e), -1);
    assert_non_null(strstr(e.text, "'out.journal' is damaged in line 2; "));
    store_release(&s);
    e.text[0] = '\0';
    assert_int_equal(store_open(&s, &start, &e), 0);
    assert_string_equal(e.text, "");
    store_release(&s);
    check_text("out.journal.1", "2026-01-31T23:59:59Z run-shuffle 1\nfoul\n");
    check_text("out.2", "#@H\n");
}

TEST_IN_DIRECTORY(test_log_on_full_disk)
{
    LOCAL(store) s;
    FAILS(open_with(&s, "out", "/dev/full", NULL, &e),
          "cannot write '/dev/full': No space left on device");
}

TEST_IN_DIRECTORY(test_release_of_nothing)
{
    struct store s = { 0 };
    int fd = dup(0);
    assert_true(fd >= 0 || fcntl(0, F_GETFD) < 0);
    store_release(&s);
    store_release(&s);
    assert_true(fd < 0 || fcntl(0, F_GETFD) >= 0); /* descriptor 0 must stay open */
    if (fd >= 0)
        close(fd);
}
