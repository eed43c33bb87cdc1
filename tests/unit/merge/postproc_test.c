#include "../test.h"

#include "merge/postproc.h"

#include "../text_files.h"

#define LIST                                                                                       \
    "#-----\n#/*@insimple_x.ski*/\n#Pattern: Simple.\n#Format: <args> <results> time_cleaned "     \
    "[microsec.] (%f) standard_error_cleaned [microsec.] (%f) count_cleaned [number] (%d)\n"
#define HEADER(date)     "#@MACHINE a\n#@DATE " date "\n"
#define RUN(date, value) HEADER(date) LIST value " 0.1 4\n#eol\n#skampi finished.\n"

static void check_contains(const char *path, const char *part)
{
    LOCAL_STRING bytes = text_of(path);
    if (strstr(bytes, part) == NULL)
        fail_msg("'%s' is not in\n%s", part, bytes);
}

/* A run of this date and value in "out"; an earlier "out" gets the first free name, as when skampi
 * starts. */
static void measure(const char *date, const char *value)
{
    LOCAL_TEXT run = { 0 };
    char name[16] = "out";
    for (int i = 1; file_exists(name); i++)
        snprintf(name, sizeof(name), "out.%d", i);
    if (file_exists("out"))
        assert_int_equal(rename("out", name), 0);
    text_add(&run, "#@MACHINE a\n#@DATE %s\n%s%s 0.1 4\n#eol\n#skampi finished.\n", date, LIST,
             value);
    write_text("out", text_get(&run));
}

/* The end of the run in "out"; the reported lines must be the expected ones. */
static void finish(const char *expected)
{
    LOCAL(merge_report) report = { 0 };
    LOCAL_TEXT each = { 0 };
    SUCCEEDS(postproc_finish("out", &report, &e));
    text_add(&each, "%s%s", text_get(&report.each), text_get(&report.result));
    assert_string_equal(text_get(&each), expected);
}

TEST_IN_DIRECTORY(test_first_run)
{
    measure("Monday", "1");
    finish("");
    check_text("out", RUN("Monday", "1"));
    assert_false(file_exists("out.1"));
}

TEST_IN_DIRECTORY(test_three_runs)
{
    measure("Monday", "1");
    finish("");
    measure("Tuesday", "2");
    finish("'out' is merged from 2 runs; this one is 'out.2'\n");
    check_contains("out", "\n1.500000 3.181981 8 # runs=2 of=2 within=0.100000\n");
    measure("Wednesday", "9");
    check_contains("out.3", "-postprocessed");
    finish("'out.3' is removed: the older merge; all of its runs are here\n"
           "'out' is merged from 3 runs; this one is 'out.3'\n");
    check_contains("out",
                   "\n2.000000 5.892557 12 # runs=3 of=3 within=0.100000 run_mean=4.000000\n");
    check_contains("out", "# out.3 Wednesday\n# out.1 Monday\n# out.2 Tuesday\n");
    check_text("out.1", RUN("Monday", "1"));
    check_text("out.2", RUN("Tuesday", "2"));
    check_text("out.3", RUN("Wednesday", "9"));
    assert_false(file_exists("out.4"));
}

/* Files, and what is reported about them. */
TEST_IN_DIRECTORY(test_files_that_do_not_belong)
{
    write_text("out.1", "#@MACHINE b\n#@DATE Sunday\n" LIST "1 .1 4\n#eol\n#skampi finished.\n");
    write_text("out.2", HEADER("Sunday") LIST "1 .1 4\n#eol\n");
    write_text("out.3", "hello\n");
    assert_int_equal(mkdir("out.4", 0777), 0);
    assert_int_equal(symlink("out.1", "out.5"), 0);
    write_text("out.6", HEADER("Sunday") LIST "1 .1 4\n#eol\n#skampi finished.-postprocessed\n");
    write_text("out.x", RUN("Sunday", "1"));
    write_text("out.07", RUN("Sunday", "1"));
    write_text("out.1234567", RUN("Sunday", "1"));
    write_text("out", RUN("Monday", "1"));
    finish(
        "'out.1' is not merged: @MACHINE is 'b', not 'a'\n"
        "'out.2' is not merged: it is not finished\n"
        "'out.3' is not merged: 'out.3' contains no complete suite of a skampi run\n"
        "'out.4' is not merged: it is not a regular file\n"
        "'out.5' is not merged: it is not a regular file\n"
        "'out.6' is not merged: it is post-processed itself; name the runs that it was made of\n");
    check_text("out", RUN("Monday", "1"));
    assert_false(file_exists("out.7"));
    write_text("out.8", RUN("Tuesday", "2"));
    finish("'out.1' is not merged: @MACHINE is 'b', not 'a'\n"
           "'out.2' is not merged: it is not finished\n"
           "'out.3' is not merged: 'out.3' contains no complete suite of a skampi run\n"
           "'out.4' is not merged: it is not a regular file\n"
           "'out.5' is not merged: it is not a regular file\n"
           "'out.6' is not merged: it is post-processed itself; name the runs that it was made of\n"
           "'out' is merged from 2 runs; this one is 'out.7'\n");
    check_text("out.7", RUN("Monday", "1"));
    check_text("out.8", RUN("Tuesday", "2"));
    check_text("out.3", "hello\n");
}

/* A merge is only removed if it can be made again. */
TEST_IN_DIRECTORY(test_merge_whose_runs_are_gone)
{
    measure("Monday", "1");
    measure("Tuesday", "2");
    finish("'out' is merged from 2 runs; this one is 'out.2'\n");
    measure("Wednesday", "9");
    assert_int_equal(unlink("out.1"), 0);
    LOCAL_STRING merge = text_of("out.3");
    finish("'out.3' is not merged: it is a merge, not all of its runs are here\n"
           "'out' is merged from 2 runs; this one is 'out.1'\n");
    check_text("out.3", merge);
    check_text("out.1", RUN("Wednesday", "9"));
    check_text("out.2", RUN("Tuesday", "2"));
}

/* More old merges than are remembered: the others wait for the next run. */
TEST_IN_DIRECTORY(test_many_old_merges)
{
    LOCAL(merge_report) report = { 0 };
    char name[16];
    int left = 0;
    measure("Monday", "1");
    measure("Tuesday", "2");
    finish("'out' is merged from 2 runs; this one is 'out.2'\n");
    LOCAL_STRING merge = text_of("out");
    for (int i = 3; i <= 70; i++) {
        snprintf(name, sizeof(name), "out.%d", i);
        write_text(name, merge);
    }
    measure("Wednesday", "9");
    assert_int_equal(postproc_finish("out", &report, NO_ERR), 0);
    for (int i = 1; i <= 71; i++) {
        snprintf(name, sizeof(name), "out.%d", i);
        left += file_exists(name);
    }
    assert_int_equal(left, 3 + 69 - 64); /* the runs, and the merges that are not remembered */
}

TEST_IN_DIRECTORY(test_run_without_a_suite)
{
    write_text("out.1", RUN("Monday", "1"));
    write_text("out", HEADER("Tuesday") "#skampi finished.\n");
    finish("'out' is not merged: 'out' contains no complete suite of a skampi run\n");
    check_text("out", HEADER("Tuesday") "#skampi finished.\n");
}

/* The run keeps its name until the merge is complete; no torn merge remains. */
TEST_IN_DIRECTORY(test_no_room)
{
    struct err e = { "" };
    LOCAL(merge_report) report = { 0 };
    write_text("out.1", RUN("Monday", "1"));
    write_text("out", RUN("Tuesday", "2"));
    limit_file_size(100);
    int rc = postproc_finish("out", &report, &e);
    limit_file_size(0);
    assert_int_equal(rc, -1);
    assert_non_null(strstr(e.text, strerror(EFBIG)));
    assert_int_equal(count_files(), 2);
    check_text("out", RUN("Tuesday", "2"));
    check_text("out.1", RUN("Monday", "1"));
    assert_false(file_exists("out.2"));
}

/* Edits a merge as a user would. */
static void edit(const char *path, const char *what, const char *with)
{
    LOCAL_TEXT edited = { 0 };
    char *bytes = text_of(path), *at = strstr(bytes, what);
    assert_non_null(at);
    *at = '\0';
    text_add(&edited, "%s%s%s", bytes, with, at + strlen(what));
    write_text(path, text_get(&edited));
    free(bytes);
}

static const struct edit_case {
    const char *what, *with, *said;
} edits[] = {
    { "1.500000", "1.400000", "it is a merge that was edited, and is kept" },
    { "#eol\n", "#eol\n# a word\n", "it is a merge that was edited, and is kept" },
    { "#skampi finished", "\n#skampi finished", "it is a merge that was edited, and is kept" },
    { "#@CHECKSUM", "#@CHECKSUN", "it is an older merge that may have been edited, and is kept" },
};

/* A user's changes would be lost. */
TEST_IN_DIRECTORY(test_edited_merge_is_kept)
{
    EACH(c, edits) {
        LOCAL_TEXT expected = { 0 };
        remove_all();
        measure("Monday", "1");
        measure("Tuesday", "2");
        finish("'out' is merged from 2 runs; this one is 'out.2'\n");
        edit("out", c->what, c->with);
        LOCAL_STRING edited = text_of("out");
        measure("Wednesday", "9");
        text_add(&expected,
                 "'out.3' is not merged: %s\n"
                 "'out' is merged from 3 runs; this one is 'out.4'\n",
                 c->said);
        finish(text_get(&expected));
        check_text("out.3", edited);
    }
}

/* An interrupted merge leaves its beginning, and possibly a complete file under another name. */
TEST_IN_DIRECTORY(test_leftovers)
{
    measure("Monday", "1");
    measure("Tuesday", "2");
    write_text("out.merge-00000000", HEADER("Tuesday") "#@POST");
    write_text("out.merge-00000001", "");
    write_text("out.merge-00000002", HEADER("Tuesday") "my words");
    write_text("out.merge-4711", HEADER("Tuesday"));
    write_text("out.merge-00000003",
               "#@X\n#@CHECKSUM 18e7a77e67ed8920\n#skampi finished.-postprocessed\n");
    write_text("out.merge-00000004",
               "#@X\n#@CHECKSUM 18e7a77e67ed8921\n#skampi finished.-postprocessed\n");
    finish("'out' is merged from 2 runs; this one is 'out.2'\n");
    assert_false(file_exists("out.merge-00000003"));
    assert_true(file_exists("out.merge-00000004"));
    assert_false(file_exists("out.merge-00000000") || file_exists("out.merge-00000001"));
    check_text("out.merge-00000002", HEADER("Tuesday") "my words");
    check_text("out.merge-4711", HEADER("Tuesday"));
}

/* After an interrupted merge the run has both names; it counts once. */
TEST_IN_DIRECTORY(test_run_that_is_kept_already)
{
    measure("Monday", "1");
    measure("Tuesday", "2");
    assert_int_equal(link("out", "out.7"), 0);
    finish("'out' is merged from 2 runs; this one is 'out.7'\n");
    check_text("out.7", RUN("Tuesday", "2"));
    assert_int_equal(count_files(), 3);
}

TEST_IN_DIRECTORY(test_no_plain_file)
{
    struct merge_report report = { 0 };
    assert_int_equal(postproc_finish("/dev/null", &report, NO_ERR), 0);
    assert_int_equal(report.left_out, 0);
    assert_int_equal(report.result.len, 0);
}
