/* Writes and checks text files, and checks which files exist. For tests IN_DIRECTORY. */
#pragma once

#include "base/file.h"

#include "files.h"

#include <stdbool.h>
#include <sys/resource.h>

static inline void write_text(const char *path, const char *text)
{
    make_file(path, text, strlen(text));
}

/* Makes its directories, too. */
static inline void write_below(const char *path, const char *text)
{
    char parent[256];
    snprintf(parent, sizeof(parent), "%s", path);
    for (char *slash = parent; (slash = strchr(slash, '/')) != NULL; *slash++ = '/') {
        *slash = '\0';
        mkdir(parent, 0777);
    }
    write_text(path, text);
}

/* Owned by the caller. */
static inline char *text_of(const char *path)
{
    struct text all = { 0 };
    SUCCEEDS(file_read(path, 1 << 20, &all, &e));
    return text_take(&all);
}

static inline void check_text(const char *path, const char *expected)
{
    LOCAL_STRING bytes = text_of(path);
    assert_string_equal(bytes, expected);
}

static inline bool file_exists(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0;
}

/* The number of files, without "." and "..". */
static inline int count_files(void)
{
    DIR *directory = opendir(".");
    int count = -2;
    while (readdir(directory) != NULL)
        count++;
    closedir(directory);
    return count;
}

static inline void remove_all(void)
{
    DIR *directory = opendir(".");
    struct dirent *entry;
    while ((entry = readdir(directory)) != NULL)
        unlink(entry->d_name);
    closedir(directory);
}

/* Like a full disk: only a part of a text fits, and its write fails. 0: no limit. */
static inline void limit_file_size(rlim_t bytes)
{
    struct rlimit limit;
    file_report_limits();
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes == 0 ? limit.rlim_max : bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}
