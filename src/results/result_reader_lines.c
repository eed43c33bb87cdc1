#include "base/file.h"
#include "results/result_reader.h"

enum { CHUNK = 4096 };

static int not_read(const struct lines *l, const char *why, struct err *e)
{
    return err_set(e, "cannot read '%s': %s", l->path, why);
}

int lines_open(struct lines *l, const char *path, struct err *e)
{
    *l = (struct lines){ .path = path };
    l->file = file_stream_read(path, e);
    return l->file == NULL ? -1 : 0;
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

int lines_next(struct lines *l, struct err *e)
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
        return not_read(l, strerror(errno), e);
    if (l->text.failed)
        return err_no_memory(e, LINE_LONGEST);
    l->torn = c == EOF;
    if (l->next == l->offset)
        return 0;
    l->number++;
    if (!l->torn && l->text.len > 0 && l->text.s[l->text.len - 1] == '\r')
        l->text.s[--l->text.len] = '\0';
    return 1;
}

int lines_seek(struct lines *l, long long offset, size_t number, struct err *e)
{
    if (fseeko(l->file, (off_t)offset, SEEK_SET) != 0)
        return not_read(l, strerror(errno), e);
    l->next = offset;
    l->number = number - 1;
    return 0;
}

/* The path is NULL if the struct was never opened. */
void lines_release(struct lines *l)
{
    if (l->file != NULL)
        fclose(l->file);
    text_release(&l->text);
    *l = (struct lines){ 0 };
}

enum { MAX_KEPT = 20 };

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
