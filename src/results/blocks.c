#include "results/blocks.h"

#include "results/format.h"
#include "base/file.h"

struct out_line {
    const char *s; /* NULL: no complete line */
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

const char *blocks_next(struct blocks *b, size_t *len_label)
{
    const char *label = NULL;
    size_t at = b->end;
    for (struct out_line l; (l = line_at(b, at)).s != NULL; at += l.len + 1) {
        if (memchr(l.s, '\0', l.len) != NULL) /* a page that did not reach the disk */
            return NULL;
        const char *its = line_own_label(l.s, l.len, len_label);
        bool ends = line_is_own_end(l.s, l.len);
        if (label == NULL ? ends || (l.len > 0 && l.s[0] != '#') : its != NULL)
            return NULL;
        label = its != NULL ? its : label;
        if (!ends)
            continue;
        b->begin = b->end;
        b->end = at + l.len + 1;
        return label;
    }
    return NULL;
}

const char *blocks_line(const struct blocks *b, enum fact f)
{
    const char *line = b->bytes + b->begin, *end = b->bytes + b->end;
    while (line < end && line_value(line, fact_info(f)->name) == NULL)
        line = line_next(line);
    return line < end ? line : NULL;
}

enum trailer blocks_trailer(const char *bytes, size_t len)
{
    const struct blocks all = { .bytes = bytes, .len = len };
    enum trailer found = TRAILER_MISSING;
    size_t at = 0;
    for (struct out_line l = line_at(&all, at); l.s != NULL; l = line_at(&all, at)) {
        if (line_is_own_trailer(l.s, l.len)) /* that of a merge has more after the full stop */
            found = l.s[l.len - 1] == '.' ? TRAILER_OF_RUN : TRAILER_OF_MERGE;
        at += l.len + 1;
    }
    return found;
}

void checksum_add(struct text *out, uint64_t hash)
{
    fact_addf(out, FACT_CHECKSUM, "%016" PRIx64, hash);
    format_trailer(out, true);
}

enum checksum checksum_of_file(const char *path)
{
    LOCAL_TEXT all = { 0 }, expected = { 0 };
    struct err e = { "" };
    const char *field = NULL;
    if (file_read(path, OUT_LONGEST, &all, &e) != 0)
        return CHECKSUM_MISSING;
    for (const char *line = all.s; line != NULL; line = line_next(line))
        if (line_value(line, fact_info(FACT_CHECKSUM)->name) != NULL)
            field = line;
    if (field == NULL)
        return strlen(all.s) == all.len ? CHECKSUM_MISSING : CHECKSUM_WRONG;
    size_t before = (size_t)(field - all.s);
    checksum_add(&expected, hash_bytes(all.s, before));
    bool right = expected.len == all.len - before && memcmp(field, expected.s, expected.len) == 0;
    return right ? CHECKSUM_RIGHT : CHECKSUM_WRONG;
}
