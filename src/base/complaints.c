#include "base/complaints.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdlib.h>

enum { MOST_KEPT = 100, SHOWN_BEFORE = 60, SHOWN_AFTER = 30 };

static void complaints_keep(struct complaints *c, struct complaint complaint)
{
    if (c->count == MOST_KEPT || complaint.text == NULL)
        goto drop;
    if (c->count == c->capacity) {
        size_t capacity = c->capacity == 0 ? 8 : c->capacity * 2;
        struct complaint *list = realloc(c->list, capacity * sizeof(*list));
        if (list == NULL)
            goto drop;
        c->list = list;
        c->capacity = capacity;
    }
    c->list[c->count++] = complaint;
    return;
drop:
    free(complaint.text);
    c->dropped++;
}

static char *format_text(const char *format, va_list args)
{
    struct text t = { 0 };
    text_add_list(&t, format, args);
    return text_take(&t);
}

void complaints_add(struct complaints *c, size_t offset, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    c->errors++;
    complaints_keep(c, (struct complaint){ offset, false, format_text(format, args) });
    va_end(args);
}

void complaints_warn(struct complaints *c, size_t offset, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    complaints_keep(c, (struct complaint){ offset, true, format_text(format, args) });
    va_end(args);
}

static bool is_continuation(char c) /* a byte inside a UTF-8 character */
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

void source_place(const struct source *s, size_t offset, size_t *line, size_t *column)
{
    size_t end = offset < s->len ? offset : s->len;
    *line = 1;
    *column = 1;
    for (size_t i = 0; i < end; i++) {
        if (s->bytes[i] == '\n') {
            (*line)++;
            *column = 1;
        } else if (!is_continuation(s->bytes[i])) {
            (*column)++;
        }
    }
}

static char printable(char c)
{
    return (unsigned char)c < 0x20 || c == 0x7f ? '?' : c;
}

/* Prints the bytes from..to of the line and, below, blanks as wide as those before mark. */
static void print_excerpt(const struct source *s, size_t from, size_t to, size_t mark, FILE *out)
{
    fputs("    ", out);
    for (size_t i = from; i < to; i++)
        putc(s->bytes[i] == '\t' ? ' ' : printable(s->bytes[i]), out);
    fputs("\n    ", out);
    for (size_t i = from; i < mark; i++)
        if (!is_continuation(s->bytes[i]))
            putc(' ', out);
    fputs("^\n", out);
}

static void print_line_at(const struct source *s, size_t offset, FILE *out)
{
    size_t mark = offset < s->len ? offset : s->len;
    size_t from = mark, to = mark;
    while (from > 0 && s->bytes[from - 1] != '\n' && mark - from < SHOWN_BEFORE)
        from--;
    while (from < mark && is_continuation(s->bytes[from]))
        from++;
    while (to < s->len && s->bytes[to] != '\n' && s->bytes[to] != '\r' && to - mark < SHOWN_AFTER)
        to++;
    while (to > mark && to < s->len && is_continuation(s->bytes[to]))
        to--;
    print_excerpt(s, from, to, mark, out);
}

static int by_offset(const void *a, const void *b)
{
    const struct complaint *x = a, *y = b;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

void complaints_print(const struct complaints *c, const struct source *s, FILE *out)
{
    if (c->count > 0)
        qsort(c->list, c->count, sizeof(*c->list), by_offset);
    for (size_t i = 0; i < c->count; i++) {
        size_t line, column;
        source_place(s, c->list[i].offset, &line, &column);
        fprintf(out, "%s:%zu:%zu: %s%s\n", s->name, line, column,
                c->list[i].warning ? "warning: " : "", c->list[i].text);
        print_line_at(s, c->list[i].offset, out);
    }
    if (c->dropped > 0)
        fprintf(out, "%s: and %zu more\n", s->name, c->dropped);
}

void complaints_release(struct complaints *c)
{
    for (size_t i = 0; i < c->count; i++)
        free(c->list[i].text);
    free(c->list);
    *c = (struct complaints){ 0 };
}
