#include "results/blocks.h"

#include <string.h>

static const char BEGIN[] = "#/*@in";
static const char BEGIN_END[] = ".ski*/";
static const char END[] = "#eol";
static const char TRAILER[] = "#skampi finished.";

struct out_line {
    const char *s; /* NULL: there is none that is complete */
    size_t len;
};

static struct out_line line_at(const struct blocks *b, size_t at)
{
    const char *s = b->bytes + at;
    const char *newline = at < b->len ? memchr(s, '\n', b->len - at) : NULL;
    struct out_line l = { NULL, 0 };
    if (newline != NULL)
        l = (struct out_line){ s, (size_t)(newline - s) };
    return l;
}

static bool begins_with(const struct out_line *l, const char *text)
{
    size_t len = strlen(text);
    return l->len >= len && memcmp(l->s, text, len) == 0;
}

static bool is_end(const struct out_line *l)
{
    return l->len == sizeof(END) - 1 && begins_with(l, END);
}

/* A line with the name of a suite. */
static bool is_begin(const struct out_line *l)
{
    size_t around = sizeof(BEGIN) - 1 + sizeof(BEGIN_END) - 1;
    return l->len > around && begins_with(l, BEGIN) &&
           memcmp(l->s + l->len - (sizeof(BEGIN_END) - 1), BEGIN_END, sizeof(BEGIN_END) - 1) == 0;
}

/* No line of ours has a NUL: it tells of a page that did not reach the disk. */
static bool is_sound(const struct out_line *l)
{
    return l->s != NULL && memchr(l->s, '\0', l->len) == NULL;
}

/* Where the line with the suite's name stands; b->len: there is none. */
static size_t find_begin(const struct blocks *b, size_t at)
{
    for (struct out_line l = line_at(b, at); is_sound(&l) && (l.len == 0 || l.s[0] == '#');
         l = line_at(b, at)) {
        if (is_begin(&l))
            return at;
        if (is_end(&l))
            break;
        at += l.len + 1;
    }
    return b->len;
}

/* Behind the end of the block whose second line stands here; 0: it is not complete. */
static size_t find_end(const struct blocks *b, size_t at)
{
    for (struct out_line l = line_at(b, at); is_sound(&l) && !is_begin(&l); l = line_at(b, at)) {
        at += l.len + 1;
        if (is_end(&l))
            return at;
    }
    return 0;
}

const char *blocks_next(struct blocks *b, size_t *len_label)
{
    size_t begin = find_begin(b, b->end);
    if (begin == b->len)
        return NULL;
    struct out_line first = line_at(b, begin);
    size_t end = find_end(b, begin + first.len + 1);
    if (end == 0)
        return NULL;
    b->end = end;
    *len_label = first.len - (sizeof(BEGIN) - 1) - (sizeof(BEGIN_END) - 1);
    return first.s + sizeof(BEGIN) - 1;
}

bool blocks_end(const char *bytes, size_t len)
{
    size_t at = len > 0 && bytes[len - 1] == '\n' ? len - 1 : 0;
    while (at > 0 && bytes[at - 1] != '\n')
        at--;
    const struct out_line last = { bytes + at, len - at };
    return len > 0 && bytes[len - 1] == '\n' && begins_with(&last, TRAILER);
}

static const char MERGED[] = "#skampi finished.-postprocessed\n";

bool blocks_end_merged(const char *bytes, size_t len)
{
    size_t size = sizeof(MERGED) - 1;
    return len >= size && memcmp(bytes + len - size, MERGED, size) == 0;
}

bool blocks_are_finished(const struct blocks *b)
{
    return b->len > b->end && blocks_end(b->bytes + b->end, b->len - b->end);
}

/* Lines are skipped until a block begins that is complete. */
bool blocks_are_damaged(const struct blocks *b)
{
    size_t at = b->end;
    for (struct out_line l = line_at(b, at); l.s != NULL; l = line_at(b, at)) {
        at += l.len + 1;
        if (is_sound(&l) && is_begin(&l) && find_end(b, at) != 0)
            return true;
    }
    return false;
}
