/* For fuzz targets; with -DREPLAY, a main without a fuzzer: runs the target once on each file of a
 * directory, and reports in TAP:
 *
 *     params_replay DIRECTORY
 */
#pragma once

#include "base/file.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static inline void must(bool holds, const char *what, const char *text)
{
    if (holds)
        return;
    fprintf(stderr, "false: %s\n%s\n", what, text);
    abort();
}

#ifdef REPLAY
enum { REPLAY_LONGEST = 1 << 24 };

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return alphasort(a, b);
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* A failure aborts inside the target. */
static int replay(const char *directory, const char *name, int number)
{
    char path[4096];
    LOCAL_TEXT all = { 0 };
    struct err e = { 0 };
    snprintf(path, sizeof(path), "%s/%s", directory, name);
    if (file_read(path, REPLAY_LONGEST, &all, &e) != 0) {
        printf("not ok %d - %s: %s\n", number, name, e.text);
        return 1;
    }
    LLVMFuzzerTestOneInput((const uint8_t *)all.s, all.len);
    printf("ok %d - %s\n", number, name);
    return 0;
}

int main(int argc, char **argv)
{
    struct dirent **entries;
    int failures = 0;
    int count = argc == 2 ? scandir(argv[1], &entries, is_visible, by_name) : -1;
    if (count <= 0) {
        fprintf(stderr, "usage: %s DIRECTORY, with files\n", argv[0]);
        return 2;
    }
    printf("1..%d\n", count);
    for (int i = 0; i < count; i++) {
        failures += replay(argv[1], entries[i]->d_name, i + 1);
        free(entries[i]);
    }
    free(entries);
    return failures > 0;
}
#endif
