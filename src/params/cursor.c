#include "params/cursor.h"

struct cursor cursor_within(const struct source *text, size_t from, size_t to, struct complaints *c)
{
    return (struct cursor){ text, from, to, c, from, false };
}

struct cursor cursor_over(const struct value_input *in)
{
    return cursor_within(in->source, in->from, in->to, in->complaints);
}

struct cursor cursor_over_file(const struct source *text, struct complaints *c)
{
    return (struct cursor){ text, 0, text->len, c, 0, true };
}

static const char punctuation[] = { '(', ')', '[', ']', ',', ';' };

static bool begins_comment(const struct cursor *k, char c)
{
    return k->comments && c == '#';
}

bool cursor_at_end(struct cursor *k)
{
    for (bool comment = false; k->at < k->end; k->at++) {
        char c = k->source->bytes[k->at];
        comment = c != '\n' && (comment || begins_comment(k, c));
        if (!comment && !value_blank(c))
            break;
    }
    return k->at == k->end;
}

size_t cursor_place(struct cursor *k)
{
    return cursor_at_end(k) ? k->taken : k->at;
}

static void take(struct cursor *k, size_t len)
{
    k->at += len;
    k->taken = len > 0 ? k->at : k->taken;
}

bool cursor_next_is(struct cursor *k, char c)
{
    return !cursor_at_end(k) && k->source->bytes[k->at] == c;
}

bool cursor_take(struct cursor *k, char c)
{
    if (!cursor_next_is(k, c))
        return false;
    take(k, 1);
    return true;
}

static struct word word_next(struct cursor *k)
{
    struct word w = { .offset = cursor_place(k) };
    const char *bytes = k->source->bytes;
    size_t to = k->at;
    while (to < k->end && !value_blank(bytes[to]) &&
           memchr(punctuation, bytes[to], sizeof(punctuation)) == NULL &&
           !begins_comment(k, bytes[to]))
        to++;
    w.bytes = bytes + k->at;
    w.len = to - k->at;
    return w;
}

struct word cursor_word(struct cursor *k)
{
    struct word w = word_next(k);
    take(k, w.len);
    return w;
}

static int refuse(struct cursor *k, const struct word *w, const char *what)
{
    if (w->len == 0)
        return complaints_add(k->complaints, w->offset, "expected %s, got nothing", what);
    if (k->complaints->hidden)
        return complaints_add(k->complaints, w->offset, "expected %s", what);
    return complaints_add(k->complaints, w->offset, "expected %s, got '%s'", what,
                          quoted(w->bytes, w->len));
}

int cursor_expected(struct cursor *k, const char *what)
{
    struct word w = word_next(k);
    if (w.len == 0 && k->at < k->end)
        w.len = 1; /* the punctuation */
    return refuse(k, &w, what);
}

int cursor_expect(struct cursor *k, char c, const char *what)
{
    return cursor_take(k, c) ? 0 : cursor_expected(k, what);
}

/* Digits, optionally after a '-'; *value is limited to LONG_MAX and -LONG_MAX. */
static bool word_is_integer(const struct word *w, long *value)
{
    bool negative = w->len > 0 && w->bytes[0] == '-';
    size_t first = negative ? 1 : 0;
    *value = 0;
    for (size_t i = first; i < w->len; i++) {
        if (w->bytes[i] < '0' || w->bytes[i] > '9')
            return false;
        int digit = w->bytes[i] - '0';
        *value = *value > (LONG_MAX - digit) / 10 ? LONG_MAX : *value * 10 + digit;
    }
    if (negative)
        *value = -*value;
    return w->len > first;
}

int cursor_number(struct cursor *k, const struct bounds *bounds, long *value)
{
    struct word w = word_next(k);
    if (w.len == 0)
        return cursor_expected(k, bounds->what);
    take(k, w.len);
    const char *shown = quoted(w.bytes, w.len);
    if (!word_is_integer(&w, value))
        return refuse(k, &w, bounds->what);
    if (*value < bounds->least)
        return complaints_add(k->complaints, w.offset, "%s must be at least %ld, got '%s'",
                              bounds->what, bounds->least, shown);
    if (*value > bounds->most)
        return complaints_add(k->complaints, w.offset, "%s must be at most %ld, got '%s'",
                              bounds->what, bounds->most, shown);
    return 0;
}
