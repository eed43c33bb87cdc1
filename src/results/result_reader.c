#include "results/result_reader.h"

#include "base/file.h"
#include "results/format.h"

enum { CHUNK = 4096, MAX_KEPT = 20, NOTES_LONGEST = 4 * 1024 * 1024 };
enum { MAX_BYTES = 16 * 1024 * 1024, MAX_FIELDS = 10000 };

static int not_read(const struct lines *l, struct err *e)
{
    return err_set(e, "cannot read '%s': %s", l->path, strerror(errno));
}

/* Reads up to the end of the line or the chunk; returns the character that ended it. */
static int read_chunk(struct lines *l)
{
    char chunk[CHUNK];
    size_t len = 0;
    int c = EOF;
    while (len < CHUNK && (c = getc_unlocked(l->file)) != EOF) {
        l->next++;
        if (c == '\n')
            break;
        chunk[len++] = (char)c;
    }
    size_t room = LINE_LONGEST - l->text.len;
    l->too_long = l->too_long || len > room;
    text_add_bytes(&l->text, chunk, len < room ? len : room);
    return c;
}

/* 1: a line; 0: the end of the file; -1: e is set. */
static int lines_next(struct lines *l, struct err *e)
{
    int c;
    l->text.len = 0;
    text_add_bytes(&l->text, "", 0);
    l->too_long = false;
    l->offset = l->next;
    do
        c = read_chunk(l);
    while (c != EOF && c != '\n');
    if (ferror(l->file))
        return not_read(l, e);
    l->torn = c == EOF;
    if (l->next == l->offset)
        return 0;
    l->number++;
    if (!l->torn && l->text.len > 0 && l->text.s[l->text.len - 1] == '\r')
        l->text.s[--l->text.len] = '\0';
    return 1;
}

void faults_add(struct faults *f, const char *path, size_t line, const char *format, ...)
{
    LOCAL_TEXT what = { 0 };
    if (f == NULL || ++f->count > MAX_KEPT)
        return;
    text_add_own(&what, format);
    text_add_printable(&f->lines, path, strlen(path));
    if (line > 0)
        text_add(&f->lines, ":%zu", line);
    text_add(&f->lines, ": ");
    text_add_printable(&f->lines, text_get(&what), what.len);
    text_add(&f->lines, "\n");
}

void faults_truncate(struct faults *f, const struct faults *before)
{
    if (f == NULL || f->lines.s == NULL)
        return;
    f->lines.len = before->lines.len;
    f->lines.s[f->lines.len] = '\0';
    f->count = before->count;
}

void faults_print(const struct faults *f, FILE *out)
{
    const char *line = text_get(&f->lines);
    while (*line != '\0') {
        size_t len = strcspn(line, "\n");
        text_print_to(out, "skampi: warning: %.*s\n", (int)len, line);
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

static bool append(struct header *h, const char *before, const char *text)
{
    struct text *value = &h->fields[h->count - 1].value;
    h->bytes += strlen(before) + strlen(text);
    if (h->bytes > MAX_BYTES)
        return false;
    text_add(value, "%s%s", before, text);
    return true;
}

/* False if the header is longer than that of any run. */
static bool header_add(struct header *h, const char *name, size_t name_len, const char *value)
{
    if (h->count == MAX_FIELDS)
        return false;
    grow_for_one(&h->fields, h->count, &h->capacity, sizeof(*h->fields));
    h->fields[h->count++] = (struct header_field){ .name = allocated(strndup(name, name_len)) };
    return append(h, "", value);
}

static void fault(struct result_reader *r, const char *what)
{
    faults_add(r->faults, r->lines.path, r->lines.number, "%s", what);
}

static void end_block(struct result_reader *r)
{
    r->inside = r->skipping = r->in_field = false;
}

static void leave_block(struct result_reader *r, const struct read_block *b)
{
    if (r->inside && !r->skipping)
        faults_add(r->faults, r->lines.path, b->line, "suite '%s' is incomplete and skipped",
                   b->label);
    end_block(r);
}

static void skip_list(struct result_reader *r, const char *why)
{
    r->skipping = true;
    faults_add(r->faults, r->lines.path, r->lines.number, "suite skipped: %s", why);
}

static void begin_block(struct result_reader *r, struct read_block *b, const char *line)
{
    size_t len;
    const char *label = line_label(line, &len);
    leave_block(r, b);
    r->lists_begun = r->inside = true;
    if (!read_block_begin(b, label, len))
        skip_list(r, "its name is not a valid file name");
    b->offset = r->lines.offset;
    b->line = r->lines.number;
}

static void add_note(struct result_reader *r, struct read_block *b, const char *line)
{
    if (b->notes.len + strlen(line) > NOTES_LONGEST) {
        fault(r, "note skipped: it is too long");
        return;
    }
    text_add_printable(&b->notes, line, strlen(line));
    text_add(&b->notes, "\n");
}

static void header_is_full(struct result_reader *r)
{
    r->in_field = false;
    if (!r->header_full)
        fault(r, "the header is too long; the rest is skipped");
    r->header_full = true;
}

/* Adds a field; those between blocks, and after them, are skipped. */
static void add_field(struct result_reader *r, struct read_block *b, const char *line)
{
    size_t len;
    const char *value, *name = line_field(line, &len, &value);
    r->in_field = r->inside || !r->lists_begun;
    if (r->inside)
        add_note(r, b, line);
    else if (r->in_field && (r->header_full || !header_add(&r->header, name, len, value)))
        header_is_full(r);
}

static void add_row(struct result_reader *r, struct read_block *b, const char *line)
{
    struct err why = { "" };
    if (!r->inside)
        fault(r, "a row outside of a suite");
    else if (read_block_end_header(b, &why) != 0)
        skip_list(r, why.text);
    else if (read_block_add_row(b, line, &why) != 0)
        fault(r, why.text);
}

static bool block_is_complete(struct result_reader *r, struct read_block *b)
{
    struct err why = { "" };
    if (r->inside && !r->skipping && read_block_end_header(b, &why) != 0)
        skip_list(r, why.text);
    bool complete = r->inside && !r->skipping;
    end_block(r);
    return complete;
}

static void take_content(struct result_reader *r, struct read_block *b, enum line_kind kind)
{
    const char *line = text_get(&r->lines.text);
    if (r->skipping)
        return;
    if (kind == LINE_FIELD)
        add_field(r, b, line);
    else if (kind != LINE_FIELD_CONTINUED)
        r->in_field = false;
    else if (r->in_field && r->inside)
        add_note(r, b, line);
    else if (r->in_field && !append(&r->header, "\n", line_continuation(line)))
        header_is_full(r);
    if (kind == LINE_HEADER && r->inside && !b->has_columns)
        read_block_add_header(b, line + 1, false);
    if (kind == LINE_OTHER &&
        (!r->inside || b->has_columns || !read_block_add_header(b, line, true)))
        fault(r, "neither a row nor a comment");
    if (kind == LINE_ROW)
        add_row(r, b, line);
}

/* Does the line complete the block? */
static bool take(struct result_reader *r, struct read_block *b, enum line_kind kind)
{
    const char *line = text_get(&r->lines.text);
    if (kind == LINE_BLANK)
        return false;
    r->finished = kind == LINE_TRAILER;
    r->postprocessed = line_is_merged(line);
    switch (kind) {
    case LINE_LABEL:
        begin_block(r, b, line);
        return false;
    case LINE_SEPARATOR:
    case LINE_TRAILER:
        leave_block(r, b);
        return false;
    case LINE_END_OF_LIST:
        return block_is_complete(r, b);
    default:
        take_content(r, b, kind);
        return false;
    }
}

/* Is the line complete? The last number of a torn line may lack digits. */
static bool is_whole(struct result_reader *r, enum line_kind kind)
{
    const struct text *t = &r->lines.text;
    if (strlen(text_get(t)) != t->len)
        fault(r, "line skipped: it has a NUL byte");
    else if (r->lines.too_long)
        fault(r, "line skipped: it is too long");
    else if (!r->lines.torn || kind == LINE_END_OF_LIST || kind == LINE_TRAILER ||
             kind == LINE_BLANK)
        return true;
    else
        fault(r, "last line skipped: the file ends within it");
    r->finished = false;
    return false;
}

int reader_open(struct result_reader *r, const char *path, struct faults *faults, struct err *e)
{
    *r = (struct result_reader){ .faults = faults, .lines.path = path };
    r->lines.file = file_stream_read(path, e);
    return r->lines.file == NULL ? -1 : 0;
}

int reader_next(struct result_reader *r, struct read_block *b, struct err *e)
{
    int rc;
    read_block_reset(b);
    while ((rc = lines_next(&r->lines, e)) == 1) {
        enum line_kind kind = line_kind_of(text_get(&r->lines.text));
        if (is_whole(r, kind) && take(r, b, kind))
            return 1;
    }
    leave_block(r, b);
    return rc;
}

int reader_read_at(struct result_reader *r, const struct place *place, struct read_block *b,
                   struct err *e)
{
    if (fseeko(r->lines.file, (off_t)place->offset, SEEK_SET) != 0)
        return not_read(&r->lines, e);
    r->lines.next = place->offset;
    r->lines.number = place->line - 1;
    end_block(r);
    int rc = reader_next(r, b, e);
    if (rc == 1 && b->offset == place->offset && strcmp(b->label, place->label) == 0)
        return 0;
    return err_set(e, "'%s' was changed while it was read", r->lines.path);
}

void reader_release(struct result_reader *r)
{
    if (r->lines.file != NULL)
        fclose(r->lines.file);
    text_release(&r->lines.text);
    r->lines = (struct lines){ 0 };
    header_release(&r->header);
}

const char *header_get(const struct header *h, const char *name)
{
    for (size_t i = 0; i < h->count; i++)
        if (strcmp(h->fields[i].name, name) == 0)
            return text_get(&h->fields[i].value);
    return NULL;
}

void header_release(struct header *h)
{
    for (size_t i = 0; i < h->count; i++) {
        free(h->fields[i].name);
        text_release(&h->fields[i].value);
    }
    free(h->fields);
    *h = (struct header){ 0 };
}
