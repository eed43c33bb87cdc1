/* A temporary directory for tests with files: each test runs in it, and it is removed afterwards.
 */
#pragma once

#include <dirent.h>
#include <sys/stat.h>

static inline int enter_directory(void **state)
{
    char *directory = strdup("/tmp/skampi-files-XXXXXX");
    if (directory == NULL || mkdtemp(directory) == NULL || chdir(directory) != 0)
        return -1;
    *state = directory;
    return 0;
}

/* With what is in it. */
static void remove_tree(const char *path)
{
    DIR *directory = opendir(path);
    struct dirent *entry;
    char below[512];
    while (directory != NULL && (entry = readdir(directory)) != NULL)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            snprintf(below, sizeof(below), "%s/%s", path, entry->d_name);
            if (unlink(below) != 0)
                remove_tree(below);
        }
    if (directory != NULL)
        closedir(directory);
    rmdir(path);
}

static inline int leave_directory(void **state)
{
    int rc = chdir("/");
    remove_tree(*state);
    rc = rc == 0 && access(*state, F_OK) != 0 ? 0 : -1;
    free(*state);
    return rc;
}

static inline void make_file(const char *path, const char *bytes, size_t len)
{
    unlink(path); /* some file systems are slow to overwrite a file */
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, len, f), len);
    assert_int_equal(fclose(f), 0);
}

#define TEST_IN_DIRECTORY(name) TEST_WITH(name, enter_directory, leave_directory)
