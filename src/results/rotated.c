#include "results/rotated.h"

#include "base/file.h"
#include "results/blocks.h"

#include <dirent.h>

enum { MAX_DIGITS = 6 };

/* The number, or 0 if the text is not a decimal number from 1 without leading zeros. */
static long number_of(const char *text)
{
    size_t len = strspn(text, "0123456789");
    if (text[0] == '0' || len == 0 || len > MAX_DIGITS || text[len] != '\0')
        return 0;
    return atol(text);
}

/* The directory that a file is in; NULL: errno. */
static DIR *open_directory(const char *path)
{
    LOCAL_TEXT directory = { 0 };
    file_add_directory(path, &directory);
    return opendir(text_get(&directory));
}

static void add_names(struct rotated *k, DIR *directory, const char *name)
{
    const struct dirent *entry;
    size_t len = strlen(name);
    while ((entry = readdir(directory)) != NULL) {
        const char *found = entry->d_name;
        bool fits = strncmp(found, name, len) == 0 && found[len] == '.';
        long number = fits ? number_of(found + len + 1) : 0;
        if (number <= 0)
            continue;
        grow_for_one(&k->numbers, k->count, &k->capacity, sizeof(*k->numbers));
        k->numbers[k->count++] = number;
    }
    if (k->count > 1)
        qsort(k->numbers, k->count, sizeof(*k->numbers), by_long);
}

int rotated_find(struct rotated *k, const char *path, struct err *e)
{
    DIR *directory = open_directory(path);
    if (directory == NULL)
        return err_set(e, "cannot read the directory of '%s': %s", path, strerror(errno));
    add_names(k, directory, file_name(path));
    closedir(directory);
    return 0;
}

void rotated_remove(struct rotated *k, const char *path)
{
    const char *dot = strrchr(path, '.');
    long number = dot == NULL ? 0 : number_of(dot + 1);
    size_t stay = 0;
    for (size_t i = 0; i < k->count; i++)
        if (k->numbers[i] != number)
            k->numbers[stay++] = k->numbers[i];
    k->count = stay;
}

long rotated_first_free(const struct rotated *k)
{
    long number = 1;
    for (size_t i = 0; i < k->count && k->numbers[i] == number; i++)
        number++;
    return number;
}

void rotated_release(struct rotated *k)
{
    free(k->numbers);
    *k = (struct rotated){ 0 };
}

enum { MAX_KEPT = 100000 }; /* result files of earlier runs */

int rotate_file(const char *from, const char *path, struct text *kept, struct err *e)
{
    for (int i = 1; i <= MAX_KEPT; i++) {
        text_release(kept);
        text_add(kept, "%s.%d", path, i);
        if ((from == NULL ? move_to_free_name(path, kept->s)
                          : move_into_place(from, path, kept->s)) == 0)
            return 0;
        if (errno != EEXIST)
            return err_set(e, "cannot move '%s' to '%s': %s", path, kept->s, strerror(errno));
    }
    return err_set(e, "cannot move '%s' away: every name up to '%s' is taken", path, kept->s);
}

bool rotated_holds(const char *path, const struct text *all, size_t least)
{
    struct err e = { "" };
    LOCAL_TEXT found = { 0 };
    return file_is_plain(path) && file_read(path, all->len, &found, &e) == 0 &&
           found.len >= least && memcmp(found.s, text_get(all), found.len) == 0;
}

void leftovers_remove(const char *path, const char *kind, const char *except,
                      const struct text *all)
{
    int directory_len = (int)(file_name(path) - path);
    LOCAL_TEXT name = { 0 };
    DIR *directory = open_directory(path);
    const struct dirent *entry;
    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        name.len = 0;
        text_add(&name, "%.*s%s", directory_len, path, entry->d_name);
        if (!temporary_has_name(entry->d_name, path + directory_len, kind) ||
            (except != NULL && strcmp(name.s, except) == 0))
            continue;
        /* a complete merge can be made again, or already has its final name as well */
        if (rotated_holds(name.s, all, 0) || checksum_of_file(name.s) == CHECKSUM_RIGHT)
            unlink(name.s);
    }
    if (directory != NULL)
        closedir(directory);
}
