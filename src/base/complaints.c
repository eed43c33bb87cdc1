#include "base/complaints.h"

enum { MAX_KEPT = 100, SHOWN_BEFORE = 60, SHOWN_AFTER = 30 };

#define MARK     '\1'
#define MARK_END '\2'

/* The length of the text up to the next mark; sets its place, and what is after it or NULL. */
static size_t up_to_mark(const char *marked, size_t *at, const char **after)
{
    size_t len = strcspn(marked, (char[]){ MARK, '\0' });
    char *end;
    *after = NULL;
    if (marked[len] == MARK) {
        *at = strtoul(marked + len + 1, &end, 10);
        *after = *end == MARK_END ? end + 1 : end;
    }
    return len;
}

/* The place in the line that a byte of the text is from. */
static size_t marked_place(const char *marked, size_t offset)
{
    size_t at = 0, next = 0, len;
    for (const char *after; (len = up_to_mark(marked, &next, &after)) <= offset && after != NULL;
         marked = after) {
        offset -= len;
        at = next;
    }
    return at;
}

void complaints_add_mark(struct text *out, size_t at)
{
    text_add(out, "%c%zu%c", MARK, at, MARK_END);
}

void complaints_add_unmarked(struct text *out, const char *marked)
{
    size_t at;
    for (const char *after; marked != NULL; marked = after)
        text_add_bytes(out, marked, up_to_mark(marked, &at, &after));
}

/* A wrong value of a list may be wrong in many suites; it is reported once. Complaints at the same
 * place keep the order found. */
static void complaints_keep(struct complaints *c, struct complaint complaint)
{
    bool known = false;
    if (c->marked != NULL)
        complaint.offset = marked_place(c->marked, complaint.offset);
    for (size_t i = 0; i < c->count; i++)
        known = known ||
                (c->list[i].offset == complaint.offset && c->list[i].warning == complaint.warning &&
                 strcmp(c->list[i].text, complaint.text) == 0);
    if (known || c->count == MAX_KEPT) {
        free(complaint.text);
        c->dropped += !known;
        return;
    }
    grow_for_one(&c->list, c->count, &c->capacity, sizeof(*c->list));
    size_t i = c->count++;
    for (; i > 0 && c->list[i - 1].offset > complaint.offset; i--)
        c->list[i] = c->list[i - 1];
    c->list[i] = complaint;
}

int complaints_add(struct complaints *c, size_t offset, const char *format, ...)
{
    struct text text = { 0 };
    text_add_own(&text, format);
    c->errors++;
    complaints_keep(c, (struct complaint){ offset, false, text_take(&text) });
    return -1;
}

void complaints_warn(struct complaints *c, size_t offset, const char *format, ...)
{
    struct text text = { 0 };
    text_add_own(&text, format);
    complaints_keep(c, (struct complaint){ offset, true, text_take(&text) });
}

int complaints_add_unknown(struct complaints *c, size_t offset, const char *kind, const char *name,
                           const char *nearest, const char *hint)
{
    if (nearest != NULL)
        return complaints_add(c, offset, "unknown %s '%s', did you mean '%s'?", kind, name,
                              nearest);
    return complaints_add(c, offset, "unknown %s '%s'%s", kind, name, hint);
}

/* Bytes of the UTF-8 character that begins at i; 1 for a byte outside of any character. */
static size_t char_len(const struct source *s, size_t i)
{
    unsigned char lead = (unsigned char)s->bytes[i];
    size_t len = 1;
    if (lead >= 0xc2 && lead <= 0xf4)
        len = 2 + (size_t)(lead >= 0xe0) + (size_t)(lead >= 0xf0);
    for (size_t k = 1; k < len; k++)
        if (i + k >= s->len || !text_continues(s->bytes[i + k]))
            return 1;
    return len;
}

/* Where the character begins that contains byte i. */
static size_t char_begin(const struct source *s, size_t i)
{
    size_t begin = i;
    if (i >= s->len)
        return s->len;
    while (begin > 0 && i - begin < 3 && text_continues(s->bytes[begin]))
        begin--;
    return begin + char_len(s, begin) > i ? begin : i;
}

size_t source_begin(const struct source *s)
{
    return s->len >= 3 && memcmp(s->bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

static bool is_line_end(const struct source *s, size_t i)
{
    bool is_return = s->bytes[i] == '\r' && i + 1 < s->len;
    return s->bytes[i + is_return] == '\n';
}

/* The bytes to mark: a whole character, both bytes of a line end as one. */
static size_t settle(const struct source *s, size_t offset)
{
    size_t begin = source_begin(s);
    size_t i = char_begin(s, offset);
    if (i > 0 && i < s->len && s->bytes[i] == '\n' && s->bytes[i - 1] == '\r')
        i--;
    return i > begin ? i : begin;
}

/* Adds the line, or the part near the mark, and a caret below the mark; nothing if it is empty. */
static void add_line_at(struct text *out, const struct source *s, size_t mark)
{
    size_t from = mark, to = mark;
    while (from > source_begin(s) && s->bytes[from - 1] != '\n' && mark - from < SHOWN_BEFORE)
        from--;
    from = char_begin(s, from);
    while (to < s->len && !is_line_end(s, to) && to - mark < SHOWN_AFTER)
        to += char_len(s, to);
    if (from == to)
        return;
    text_add(out, "    ");
    text_add_printable(out, s->bytes + from, to - from);
    text_add(out, "\n    ");
    for (size_t i = from; i < mark; i += char_len(s, i))
        text_add(out, " ");
    text_add(out, "^\n");
}

/* Adds "FILE:LINE:COLUMN: message"; only warnings, or all of them with the lines of the text. */
static void add_complaints(struct text *out, const struct complaints *c, const struct source *s,
                           bool warnings)
{
    const struct source typed = { s->name, c->line, c->line == NULL ? 0 : strlen(c->line) };
    s = c->line == NULL ? s : &typed;
    size_t at = source_begin(s), line = 1, column = 1;
    for (size_t i = 0; i < c->count; i++) {
        const struct complaint *one = &c->list[i];
        for (size_t to = settle(s, one->offset); at < to; at += char_len(s, at)) {
            line += s->bytes[at] == '\n';
            column = s->bytes[at] == '\n' ? 1 : column + 1;
        }
        if (warnings && !one->warning)
            continue;
        if (c->own > 0 && one->offset > c->own)
            text_add(out, "skampi: option '--set': %s\n", one->text);
        else
            text_add(out, "%s:%zu:%zu: %s%s\n", s->name, line, column,
                     one->warning ? "warning: " : "", one->text);
        if (!warnings && !c->hidden)
            add_line_at(out, s, at);
    }
}

void complaints_add_warnings(const struct complaints *c, const struct source *s, struct text *out)
{
    add_complaints(out, c, s, true);
}

void complaints_print(const struct complaints *c, const struct source *s, FILE *out)
{
    LOCAL_TEXT all = { 0 };
    add_complaints(&all, c, s, false);
    text_print_to(out, "%s", text_get(&all));
    if (c->dropped > 0)
        text_print_to(out, "%s: and %zu more\n", s->name, c->dropped);
}

void complaints_release(struct complaints *c)
{
    for (size_t i = 0; i < c->count; i++)
        free(c->list[i].text);
    free(c->list);
    *c = (struct complaints){ 0 };
}
