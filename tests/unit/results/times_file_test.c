#include "../test.h"

#include "results/times_file.h"
#include "model/suite.h"

#include "../text_files.h"

#include <inttypes.h>

static const struct pattern_info pattern = { .prefix = "col" };
static const struct type_info type = { .pattern = &pattern };
static const struct suite suite = { .name = "x", .type = &type };

#define BLOCK(rows)                                                                                \
    "#-----\n#/*@incol_x.ski*/\n"                                                                  \
    "# argument process count min p1 p5 p10 p25 p50 p75 p90 p95 p99 p99.9 max\n" rows "#eol\n"

static void create(struct times_file *f)
{
    SUCCEEDS(times_file_create(f, "out", &e));
}

static void resume(struct times_file *f, const char *name_end, const char *results)
{
    SUCCEEDS(times_file_resume(f, "out", name_end, results, &e));
}

static void add(struct times_file *f, const char *rows)
{
    times_file_add(f, &suite, rows, strlen(rows));
}

/* Adds the line of the results that names the block. */
static void end(struct times_file *f, struct text *results)
{
    SUCCEEDS(times_file_end(f, results, &e));
}

TEST_IN_DIRECTORY(test_blocks)
{
    LOCAL(times_file) f;
    LOCAL_TEXT results = { 0 }, expected = { 0 };
    static const char first[] = BLOCK("1 -1 2\n1 0 2\n"), second[] = BLOCK("4 -1 1\n");
    create(&f);
    assert_true(strncmp(text_get(&f.path), "out.times-", 10) == 0);
    add(&f, "1 -1 2\n");
    add(&f, "1 0 2\n");
    end(&f, &results);
    add(&f, "4 -1 1\n");
    end(&f, &results);
    text_add(&expected, "#@TIMES %s 0 %zu %016" PRIx64 "\n#@TIMES %s %zu %zu %016" PRIx64 "\n",
             f.path.s, strlen(first), hash_bytes(first, strlen(first)), f.path.s, strlen(first),
             strlen(second), hash_bytes(second, strlen(second)));
    assert_string_equal(text_get(&results), text_get(&expected));
    check_text(f.path.s, BLOCK("1 -1 2\n1 0 2\n") BLOCK("4 -1 1\n"));
}

/* A suite that keeps no times has no line, and one that failed leaves nothing. */
TEST_IN_DIRECTORY(test_nothing)
{
    LOCAL(times_file) f;
    struct text notes = { 0 };
    create(&f);
    add(&f, "1 -1 2\n");
    times_file_drop(&f);
    assert_int_equal(times_file_end(&f, &notes, NO_ERR), 0);
    assert_string_equal(text_get(&notes), "");
    check_text(f.path.s, "");
}

/* The remains of a killed run after the last block that the results name are removed. */
TEST_IN_DIRECTORY(test_resume)
{
    static const char *const left[] = { "", "2 -1 1\n", "2 -1 1\n2 0" };
    for (size_t i = 0; i < COUNT(left); i++)
        for (int complete = 0; complete < 2; complete++) {
            LOCAL(times_file) f;
            LOCAL_TEXT results = { 0 }, unnamed = { 0 }, path = { 0 };
            create(&f);
            text_add(&path, "%s", f.path.s);
            add(&f, "1 -1 2\n");
            end(&f, &results);
            add(&f, left[i]);
            if (complete)
                end(&f, &unnamed);
            times_file_release(&f);
            resume(&f, path.s + strlen("out."), results.s);
            assert_string_equal(f.path.s, path.s);
            check_text(path.s, BLOCK("1 -1 2\n"));
            add(&f, "3 -1 1\n");
            end(&f, &results);
            check_text(path.s, BLOCK("1 -1 2\n") BLOCK("3 -1 1\n"));
        }
}

/* Only files with the names of this program are continued, and no links. */
TEST_IN_DIRECTORY(test_resume_other)
{
    static const char *const name_ends[] = { "times-00000001", "times-00000002",   "x", "",
                                             "times-0000000g", "../times-00000003" };
    write_text("other", "important");
    write_text("out.x", "important");
    assert_int_equal(symlink("other", "out.times-00000001"), 0);
    for (size_t i = 0; i < COUNT(name_ends); i++) {
        LOCAL(times_file) f;
        resume(&f, name_ends[i], "");
        assert_string_not_equal(times_file_name_end(&f), name_ends[i]);
    }
    check_text("other", "important");
    check_text("out.x", "important");
}

/* Results that name more than the file has: it was cut by somebody. */
TEST_IN_DIRECTORY(test_resume_short)
{
    LOCAL(times_file) f;
    LOCAL_TEXT results = { 0 };
    write_text("out.times-00000001", "torn");
    text_add(&results, "#@TIMES out.times-00000001 0 100 0000000000000000\n");
    resume(&f, "times-00000001", results.s);
    add(&f, "1 -1 2\n");
    end(&f, &results);
    check_text("out.times-00000001", "torn" BLOCK("1 -1 2\n"));
}

#define CHANGE(name, ...)                                                                          \
    static void name(const char *path)                                                             \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }
CHANGE(remove_it, assert_int_equal(unlink(path), 0))
CHANGE(cut_it, assert_int_equal(truncate(path, 3), 0))
CHANGE(replace_it, write_text(path, "mine"))

TEST_IN_DIRECTORY(test_changed)
{
    static void (*const changes[])(const char *path) = { remove_it, cut_it, replace_it };
    for (size_t i = 0; i < COUNT(changes); i++) {
        LOCAL(times_file) f;
        LOCAL_TEXT results = { 0 }, path = { 0 };
        create(&f);
        text_add(&path, "%s", f.path.s);
        add(&f, "1 -1 2\n");
        end(&f, &results);
        changes[i](path.s);
        add(&f, "2 -1 2\n");
        end(&f, &results);
        assert_string_not_equal(f.path.s, path.s);
        assert_non_null(strstr(text_get(&f.changed), "was removed or changed during the run"));
        check_text(f.path.s, BLOCK("2 -1 2\n"));
        assert_non_null(strstr(results.s, f.path.s));
    }
}

/* Before the results are open, and for results that are not a regular file, there is no file. */
TEST_IN_DIRECTORY(test_no_file)
{
    LOCAL(times_file) f = { .fd = -1 };
    struct text notes = { 0 };
    add(&f, "1 -1 2\n");
    times_file_add(NULL, &suite, "1", 1);
    assert_int_equal(times_file_end(&f, &notes, NO_ERR), 0);
    assert_string_equal(text_get(&notes), "");
}

TEST_IN_DIRECTORY(test_full_disk)
{
    LOCAL(times_file) f;
    struct text notes = { 0 };
    struct err e = { "" };
    create(&f);
    close(f.fd);
    f.fd = open("/dev/full", O_RDWR);
    f.len = 1; /* as if the block had begun */
    add(&f, "1 -1 2\n");
    assert_int_equal(times_file_end(&f, &notes, &e), -1);
    assert_non_null(strstr(e.text, "cannot write 'out.times-"));
    assert_string_equal(text_get(&notes), "");
}
