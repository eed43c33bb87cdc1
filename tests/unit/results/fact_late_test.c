/* The duration of MPI_Finalize in a result file that is otherwise complete. */

#include "../test.h"

#include "results/fact.h"

#include "../text_files.h"

#define BEFORE "#eol\n#@WALLTIME 1 s\n"
#define AFTER  "#skampi finished.\n"

static int open_results(const char *path)
{
    return file_open_own(path, 0, 0, NO_ERR);
}

static void make_results(const char *path)
{
    LOCAL_TEXT t = { 0 };
    text_add(&t, BEFORE);
    late_fact_add(&t, NAN);
    text_add(&t, AFTER);
    make_file(path, text_get(&t), t.len);
}

/* The value is padded, whatever the width. */
static void check(const char *path, const char *expected)
{
    LOCAL_STRING s = text_of(path);
    char *to = s;
    for (const char *from = s; *from != '\0'; from++)
        if (from[0] != ' ' || from[1] != ' ')
            *to++ = *from;
    *to = '\0';
    assert_string_equal(s, expected);
}

TEST_IN_DIRECTORY(the_value_is_replaced_in_place)
{
    struct stat before, after;
    make_results("out");
    check("out", BEFORE "#@FINALIZE unknown\n" AFTER);
    assert_int_equal(stat("out", &before), 0);
    int f = open_results("out");
    assert_int_equal(rename("out", "out.1"), 0);
    assert_int_equal(late_fact_write(f, 123456.789), 0);
    check("out.1", BEFORE "#@FINALIZE 123456.789000 microsec., rank 0\n" AFTER);
    assert_int_equal(stat("out.1", &after), 0);
    assert_int_equal(before.st_size, after.st_size);
    assert_int_equal(late_fact_write(open_results("out.1"), 1.0), -1);
}

TEST_IN_DIRECTORY(a_line_that_changed_is_left_alone)
{
    make_results("out");
    int f = open_results("out");
    FILE *other = fopen("out", "r+");
    assert_non_null(other);
    fputs("#mine\n#mine\n#mine\n#mine\n#mine\n", other);
    fclose(other);
    assert_int_equal(late_fact_write(f, 1.0), -1);
    LOCAL_STRING s = text_of("out");
    assert_null(strstr(s, "microsec"));
}

TEST_IN_DIRECTORY(other_files_have_no_such_line)
{
    make_file("short", AFTER, strlen(AFTER));
    assert_int_equal(late_fact_write(open_results("short"), 1.0), -1);
    check("short", AFTER);
    assert_int_equal(late_fact_write(-1, 1.0), 0);
}
