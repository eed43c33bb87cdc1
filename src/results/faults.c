#include "results/faults.h"

#include <string.h>

enum { MAX_KEPT = 20 };

static void add_place(struct text *out, const char *path, size_t line)
{
    text_add_printable(out, path, strlen(path));
    if (line > 0)
        text_add(out, ":%zu", line);
    text_add(out, ": ");
}

void faults_add(struct faults *f, const char *path, size_t line, const char *format, ...)
{
    struct text what = { 0 };
    va_list args;
    if (f == NULL || ++f->count > MAX_KEPT)
        return;
    va_start(args, format);
    text_add_list(&what, format, args);
    va_end(args);
    add_place(&f->lines, path, line);
    text_add_printable(&f->lines, text_get(&what), what.len);
    text_add(&f->lines, "\n");
    text_release(&what);
}

void faults_truncate(struct faults *f, size_t count)
{
    if (f == NULL || f->lines.len == 0)
        return;
    size_t len = 0;
    for (size_t i = 0; i < count && i < MAX_KEPT; i++)
        len += strcspn(f->lines.s + len, "\n") + 1;
    f->lines.s[len] = '\0';
    f->lines.len = len;
    f->count = count;
}

void faults_print(const struct faults *f, FILE *out)
{
    const char *line = text_get(&f->lines);
    while (*line != '\0') {
        size_t len = strcspn(line, "\n");
        fprintf(out, "skampi: warning: %.*s\n", (int)len, line);
        line += len + 1;
    }
    if (f->count > MAX_KEPT)
        fprintf(out, "skampi: warning: and %zu more like that\n", f->count - MAX_KEPT);
}

void faults_release(struct faults *f)
{
    text_release(&f->lines);
    *f = (struct faults){ 0 };
}
