/* Makes finished runs in "out" and merges them, for the tests of postproc. */
#pragma once

#include "merge/postproc.h"

#include "../text_files.h"

#define LIST                                                                                       \
    "#-----\n#/*@insimple_x.ski*/\n#Pattern: Simple.\n#Format: <args> <results> time_cleaned "     \
    "[microsec.] (%f) standard_error_cleaned [microsec.] (%f) count_cleaned [number] (%d)\n"
#define HEADER(date)     "#@MACHINE a\n#@DATE " date "\n"
#define RUN(date, value) HEADER(date) LIST value " 0.1 4\n#eol\n#skampi finished.\n"

static inline void check_contains(const char *path, const char *part)
{
    LOCAL_STRING bytes = text_of(path);
    if (strstr(bytes, part) == NULL)
        fail_msg("'%s' is not in\n%s", part, bytes);
}

/* A run of this date and value in "out"; an earlier "out" gets the first free name, as when skampi
 * starts. */
static inline void measure(const char *date, const char *value)
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
static inline void finish(const char *expected)
{
    struct err e = { "" };
    LOCAL(merge_report) report = { 0 };
    LOCAL_TEXT each = { 0 };
    if (postproc_finish("out", &report, &e) != 0)
        fail_msg("%s", e.text);
    text_add(&each, "%s%s", text_get(&report.each), text_get(&report.result));
    assert_string_equal(text_get(&each), expected);
}
