#include "results/leftovers.h"

#include "base/file.h"
#include "results/checksum.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A complete merge can be made again, or already has its final name as well. */
static bool is_whole_merge(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 && S_ISREG(st.st_mode) && checksum_of_file(path) == CHECKSUM_RIGHT;
}

static bool holds_beginning(const char *path, const char *bytes, size_t len)
{
    struct err e = { "" };
    struct stat st;
    size_t found_len;
    char *found;
    if (lstat(path, &st) != 0 || !S_ISREG(st.st_mode) || (size_t)st.st_size > len ||
        file_read(path, len, &found, &found_len, &e) != 0)
        return false;
    bool same = memcmp(found, bytes, found_len) == 0;
    free(found);
    return same;
}

void leftovers_remove(const char *path, const char *kind, const char *except, const char *bytes,
                      size_t len)
{
    const char *slash = strrchr(path, '/');
    int directory_len = slash == NULL ? 0 : (int)(slash + 1 - path);
    struct text name = { 0 };
    text_add(&name, "%.*s.", directory_len, path);
    DIR *directory = opendir(text_get(&name));
    const struct dirent *entry;
    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        name.len = 0;
        text_add(&name, "%.*s%s", directory_len, path, entry->d_name);
        if (name.failed || !temporary_has_name(entry->d_name, path + directory_len, kind) ||
            (except != NULL && strcmp(name.s, except) == 0))
            continue;
        if (holds_beginning(name.s, bytes, len) || is_whole_merge(name.s))
            unlink(name.s);
    }
    if (directory != NULL)
        closedir(directory);
    text_release(&name);
}
