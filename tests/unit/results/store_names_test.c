/* The names of the files that a store writes, and files that had these names before. */

#include "../test.h"

#include "opened.h"

TEST_IN_DIRECTORY(test_earlier_runs_are_kept)
{
    static const char *const ended[] = { "first\n" END, "second\n" END, "third\n" END };
    for (int i = 0; i < 3; i++) {
        struct store s = open_store();
        store_release(&s);
        write_text("out", ended[i]);
        unlink("out.journal");
    }
    check_text("out.1", ended[0]);
    check_text("out.2", ended[1]);
    check_text("out", ended[2]);
    check_log("run-begin out\n"
              "note moved 'out' to 'out.1'\nrun-begin out\n"
              "note moved 'out' to 'out.2'\nrun-begin out\n");
}

TEST_IN_DIRECTORY(test_first_free_name)
{
    write_text("out", END);
    write_text("out.1", "one");
    assert_int_equal(mkdir("out.2", 0777), 0);
    assert_int_equal(symlink("nowhere", "out.3"), 0);
    struct store s = open_store();
    store_release(&s);
    check_text("out.1", "one");
    check_text("out.4", END);
    check_text("out", "#@H\n");
    assert_false(file_exists("nowhere"));
}

/* An earlier run was interrupted after the new name was made and before the old one was removed. */
TEST_IN_DIRECTORY(test_interrupted_move)
{
    write_text("out", END);
    assert_int_equal(link("out", "out.1"), 0);
    struct store s = open_store();
    store_release(&s);
    check_text("out.1", END);
    check_text("out", "#@H\n");
    assert_false(file_exists("out.2"));
}

static const struct refusal_case {
    const char *out, *log, *message;
} refusal_cases[] = {
    { "out", "nowhere/log", "cannot write 'nowhere/log': No such file or directory" },
    { "nowhere/out", "log", "cannot write 'nowhere/out': No such file or directory" },
    { "out/out", "log", "cannot write 'out/out': Not a directory" },
    { "target", "log", "cannot write 'target': neither a plain file nor a device" },
    { "link", "log", "'link' is a symbolic link; name another @OUTFILE, or one with -o" },
    { "out", "out.journal", "journal and log are the same file 'out.journal'" },
    { "out", "out", "result file and log are the same file 'out'" },
    { "out", "./out", "result file and log are the same file 'out'" },
    { "soft", "target/log", "result file and log are the same file 'soft'" },
    { "params", "log", "result file and parameter file are the same file 'params'" },
    { "out", "params", "log and parameter file are the same file 'params'" },
    { "hard", "log", "result file and parameter file are the same file 'hard'" },
    { "out", "hard", "log and parameter file are the same file 'hard'" },
    { "/dev/full", "log", "cannot write '/dev/full': No space left on device" },
};

TEST_IN_DIRECTORY(test_refusals)
{
    write_text("out", "before");
    assert_int_equal(mkdir("target", 0777), 0);
    assert_int_equal(symlink("out", "link"), 0);
    assert_int_equal(symlink("target/log", "soft"), 0);
    write_text("params", "2026-01-31T23:59:59Z note looks like a log\ntorn");
    assert_int_equal(link("params", "hard"), 0);
    EACH(c, refusal_cases) {
        struct store s;
        FAILS(open_with(&s, c->out, c->log, "params", &e), c->message);
        store_release(&s);
        assert_true(file_exists("out") && file_exists("link"));
        assert_false(file_exists("out.1") || file_exists("link.1") || file_exists("target/log"));
        check_text("out", "before");
        check_text("params", "2026-01-31T23:59:59Z note looks like a log\ntorn");
    }
}

/* The parameter file is named by a link, the result file by its real name. */
TEST_IN_DIRECTORY(test_parameter_file_through_link)
{
    static const char *const cases[][2] = { { "target", "log" }, { "out", "target" } };
    write_text("target", "");
    assert_int_equal(symlink("target", "params"), 0);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct err e = { "" };
        struct store s;
        assert_int_equal(open_with(&s, cases[i][0], cases[i][1], "params", &e), -1);
        assert_non_null(strstr(e.text, "and parameter file are the same file 'target'"));
        store_release(&s);
        check_text("target", "");
        assert_false(file_exists("out") || file_exists("log"));
    }
}

TEST_IN_DIRECTORY(test_names_that_become_the_same)
{
    struct store s;
    FAILS(open_with(&s, "out", "./out", NULL, &e), "result file and log are the same file 'out'");
    store_release(&s);
    assert_false(file_exists("out"));
}
