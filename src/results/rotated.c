#include "results/rotated.h"

#include "base/grow.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DIGITS = 6 };

/* The number, or 0 if the text is not a decimal number from 1 without leading zeros. */
static int number_of(const char *text)
{
    size_t len = strspn(text, "0123456789");
    if (text[0] == '0' || len == 0 || len > MAX_DIGITS || text[len] != '\0')
        return 0;
    return atoi(text);
}

static int add(struct rotated *k, int number, struct err *e)
{
    int *numbers = grow_for_one(k->numbers, k->count, &k->capacity, sizeof(*numbers));
    if (numbers == NULL)
        return err_no_memory(e, 2 * (k->count + 1) * sizeof(*numbers));
    k->numbers = numbers;
    k->numbers[k->count++] = number;
    return 0;
}

static int by_number(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int add_names(struct rotated *k, DIR *directory, const char *name, struct err *e)
{
    const struct dirent *entry;
    size_t len = strlen(name);
    while ((entry = readdir(directory)) != NULL) {
        const char *found = entry->d_name;
        bool fits = strncmp(found, name, len) == 0 && found[len] == '.';
        int number = fits ? number_of(found + len + 1) : 0;
        if (number > 0 && add(k, number, e) != 0)
            return -1;
    }
    if (k->count > 1)
        qsort(k->numbers, k->count, sizeof(*k->numbers), by_number);
    return 0;
}

int rotated_find(struct rotated *k, const char *path, struct err *e)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;
    char *directory = slash == NULL ? text_copy(".", 1) : text_copy(path, (size_t)(name - path));
    if (directory == NULL)
        return err_no_memory(e, strlen(path));
    DIR *opened = opendir(directory);
    int rc = opened == NULL ? err_set(e, "cannot read '%s': %s", directory, strerror(errno))
                            : add_names(k, opened, name, e);
    if (opened != NULL)
        closedir(opened);
    free(directory);
    return rc;
}

void rotated_remove(struct rotated *k, const char *path)
{
    const char *dot = strrchr(path, '.');
    int number = dot == NULL ? 0 : number_of(dot + 1);
    size_t stay = 0;
    for (size_t i = 0; i < k->count; i++)
        if (k->numbers[i] != number)
            k->numbers[stay++] = k->numbers[i];
    k->count = stay;
}

int rotated_first_free(const struct rotated *k)
{
    int number = 1;
    for (size_t i = 0; i < k->count && k->numbers[i] == number; i++)
        number++;
    return number;
}

void rotated_release(struct rotated *k)
{
    free(k->numbers);
    *k = (struct rotated){ 0 };
}
