#include "params/values.h"

#include <ctype.h>

void *value_at(const struct value_row *row, void *base)
{
    return (char *)base + row->offset;
}

const void *value_get(const struct value_row *row, const void *base)
{
    return (const char *)base + row->offset;
}

bool value_blank(char c)
{
    return isspace((unsigned char)c) != 0;
}

const char *value_quote(const char *s, size_t len, char buffer[QUOTE_SIZE])
{
    enum { MOST = 40 };
    size_t n = 0;
    while (n < len && n < MOST && s[n] != '\n' && s[n] != '\r')
        n++;
    bool cut = n < len;
    while (cut && n > 0 && text_continues(s[n]))
        n--;
    for (size_t i = 0; i < n; i++) {
        const char control = s[i] == '\t' ? ' ' : '?';
        buffer[i] = text_control(&s[i], 1) > 0 ? control : s[i];
    }
    strcpy(buffer + n, cut ? "..." : "");
    return buffer;
}

bool value_named(const struct value_row *row, const char *name, size_t len)
{
    if (text_same_n(name, len, row->name))
        return true;
    for (size_t i = 0; i < VALUE_ALIASES && row->aliases[i] != NULL; i++)
        if (text_same_n(name, len, row->aliases[i]))
            return true;
    return false;
}

void value_explain(const struct value_row *row, struct text *out)
{
    if (row->kind->text != NULL)
        text_add(out, "%s", row->kind->text);
    else
        row->kind->explain(row, out);
    if (row->section != NULL)
        text_add(out, " or Default_Value");
    if (row->unit != NULL)
        text_add(out, ", in %s", row->unit);
}

int value_reject(const struct value_row *row, const struct value_input *in)
{
    LOCAL_TEXT expected = { 0 };
    value_explain(row, &expected);
    return complaints_add(in->complaints, in->from, "expected %s, got '%s'", text_get(&expected),
                          quoted_part(in->source, in->from, in->to));
}

static const char *const yesno_names[] = { "no", "yes", NULL };

const char *value_name(const struct value_row *row, int i)
{
    if (row->choice != NULL)
        return row->choice((size_t)i);
    return row->kind == &value_yesno ? yesno_names[i] : row->names[i];
}

bool value_word_find(const struct value_row *row, const struct value_input *in, long *number)
{
    const char *s = in->source->bytes + in->from;
    for (const struct value_word *w = row->words; w != NULL && w->word != NULL; w++)
        if (text_same_n(s, in->to - in->from, w->word)) {
            *number = w->number;
            return true;
        }
    return false;
}

static int choice_parse(const struct value_row *row, const struct value_input *in, void *base)
{
    const char *s = in->source->bytes + in->from;
    long chosen = 0;
    while (value_name(row, (int)chosen) != NULL &&
           !text_same_n(s, in->to - in->from, value_name(row, (int)chosen)))
        chosen++;
    if (value_name(row, (int)chosen) == NULL && !value_word_find(row, in, &chosen))
        return value_reject(row, in);
    if (row->kind == &value_yesno)
        *(bool *)value_at(row, base) = chosen == 1;
    else
        *(int *)value_at(row, base) = (int)chosen;
    return 0;
}

static void choice_print(const struct value_row *row, const void *base, struct text *out)
{
    const void *chosen = value_get(row, base);
    bool yesno = row->kind == &value_yesno;
    text_add(out, "%s", value_name(row, yesno ? *(const bool *)chosen : *(const int *)chosen));
}

static void choice_explain(const struct value_row *row, struct text *out)
{
    for (int i = 0; value_name(row, i) != NULL; i++)
        text_add(out, "%s%s", text_or(i == 0, value_name(row, i + 1) == NULL), value_name(row, i));
}

/* Adds lines without white space at their ends; a carriage return within one becomes a blank. */
static void add_lines(struct text *out, const char *s, const char *end)
{
    text_add_bytes(out, "", 0);
    for (const char *next; s <= end; s = next + 1) {
        const char *newline = memchr(s, '\n', (size_t)(end - s)), *stop;
        next = newline == NULL ? end : newline;
        for (stop = next; stop > s && value_blank(stop[-1]); stop--)
            ;
        for (; s < stop; s++)
            text_add_bytes(out, *s == '\r' ? " " : s, 1);
        text_add_bytes(out, "\n", next < end);
    }
}

static int text_parse(const struct value_row *row, const struct value_input *in, void *base)
{
    char **value = value_at(row, base);
    struct text t = { 0 };
    if (*value != NULL && **value != '\0')
        text_add(&t, "%s\n", *value);
    add_lines(&t, in->source->bytes + in->from, in->source->bytes + in->to);
    free(*value);
    *value = text_take(&t);
    return 0;
}

static int file_parse(const struct value_row *row, const struct value_input *in, void *base)
{
    enum { LONGEST = 1023 };
    const char *s = in->source->bytes + in->from;
    size_t len = in->to - in->from;
    if (len > LONGEST)
        return value_reject(row, in);
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)s[i] < 0x20 || s[i] == 0x7f)
            return value_reject(row, in);
    char **value = value_at(row, base);
    free(*value);
    *value = allocated(strndup(s, len));
    return 0;
}

static void text_print(const struct value_row *row, const void *base, struct text *out)
{
    const char *value = *(char *const *)value_get(row, base);
    text_add(out, "%s", value == NULL ? "" : value);
}

enum { LABEL_NAME = 40, LABEL_VALUE = 200, LABELS = 32 };

/* Removes the line at this place of lines, and one line break. */
static void drop_line(char *lines, char *line)
{
    char *from = line > lines ? line - 1 : line, *to = line + strcspn(line, "\n");
    to += from == line && *to != '\0';
    memmove(from, to, strlen(to) + 1);
}

/* Adds a line NAME=VALUE. That of --set replaces the file's. */
static int label_parse(const struct value_row *row, const struct value_input *in, void *base)
{
    const char *s = in->source->bytes + in->from;
    char *lines = *(char **)value_at(row, base), *all = lines;
    const size_t len = in->to - in->from;
    size_t name = 0;
    while (name < len && (isalnum((unsigned char)s[name]) || memchr("_.-", s[name], 3) != NULL))
        name++;
    if (name == 0 || name > LABEL_NAME || name + 1 >= len || s[name] != '=' ||
        len - name - 1 > LABEL_VALUE)
        return value_reject(row, in);
    for (int count = 1; all != NULL && *all != '\0'; count++) {
        if (strncmp(all, s, name + 1) == 0) {
            if (in->complaints->own == 0 || in->from <= in->complaints->own)
                return complaints_add(in->complaints, in->from, "label '%.*s' is given twice",
                                      (int)name, s);
            drop_line(lines, all);
            break;
        }
        if (count == LABELS)
            return complaints_add(in->complaints, in->from, "expected at most %d labels", LABELS);
        all += strcspn(all, "\n");
        all += *all == '\n';
    }
    return text_parse(row, in, base);
}

static void label_print(const struct value_row *row, const void *base, struct text *out)
{
    const char *all = *(char *const *)value_get(row, base);
    for (; all != NULL && *all != '\0'; all++)
        text_add(out, *all == '\n' ? "\n%s " : "%.1s", *all == '\n' ? row->name : all);
}

static void text_free(void *value)
{
    free(*(char **)value);
}

VALUE_KIND(choice, choice_parse, choice_print, .size = sizeof(int), .explain = choice_explain);
VALUE_KIND(yesno, choice_parse, choice_print, .text = "yes or no");
VALUE_KIND(text, text_parse, text_print, .lines = true, .text = "text", .release = text_free);
VALUE_KIND(file, file_parse, text_print, .text = "a file name", .release = text_free);
VALUE_KIND(label, label_parse, label_print, .release = text_free,
           .text = "a label NAME=VALUE: a name of at most 40 letters, digits, '_', '.' and '-', a "
                   "value of at most 200 bytes");
VALUE_KIND(directory, file_parse, text_print, .text = "a directory", .release = text_free);
