#include "results/format.h"

static const char BLANKS[] = " \t\r\f\v";
static const char LABEL_BEGIN[] = "/*@in";
static const char LABEL_END[] = ".ski*/";
static const char SEPARATOR[] = "#-----";
static const char END_OF_LIST[] = "#eol";
static const char FIELD_BEGIN[] = "#@";
static const char FIELD_CONTINUED[] = "# ";
static const char TRAILER[] = "skampi finished.";
static const char MERGED[] = "-postprocessed";

/* Reading up to line_continuation is tolerant: files may be edited, or of older versions. */

static bool begins_with(const char *s, const char *beginning)
{
    return strncmp(s, beginning, strlen(beginning)) == 0;
}

static bool is_blank(const char *s)
{
    return s[strspn(s, BLANKS)] == '\0';
}

/* The last end of a label in the line, if only blanks follow; or NULL. */
static const char *end_of_label(const char *s)
{
    const char *last = NULL;
    for (const char *end = s; (end = strstr(end, LABEL_END)) != NULL; end++)
        last = end;
    return last != NULL && is_blank(last + strlen(LABEL_END)) ? last : NULL;
}

static const char *begin_of_label(const char *s)
{
    s += *s == '#';
    return begins_with(s, LABEL_BEGIN) ? s + strlen(LABEL_BEGIN) : NULL;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static const char *after_trailer(const char *s)
{
    s += *s == '#';
    s += *s != '\0' && strchr(BLANKS, *s) != NULL;
    return begins_with(s, TRAILER) ? s + strlen(TRAILER) : NULL;
}

bool line_is_merged(const char *s)
{
    const char *rest = after_trailer(s);
    return rest != NULL && strstr(rest, MERGED) != NULL;
}

/* Only the beginning is checked; the row is validated when it is read. */
static bool is_row(const char *s)
{
    s += strspn(s, BLANKS);
    s += *s == '+' || *s == '-';
    if (text_same_n(s, strnlen(s, 3), "nan") || text_same_n(s, strnlen(s, 3), "inf"))
        return true;
    s += *s == '.';
    return *s >= '0' && *s <= '9';
}

enum line_kind line_kind_of(const char *s)
{
    const char *label = begin_of_label(s);
    if (label != NULL && end_of_label(label) != NULL)
        return LINE_LABEL;
    size_t dashes = *s == '#' ? strspn(s + 1, "-") : 0;
    if (dashes >= 3 && is_blank(s + 1 + dashes))
        return LINE_SEPARATOR;
    if (begins_with(s, END_OF_LIST) && !is_word(s[strlen(END_OF_LIST)]))
        return LINE_END_OF_LIST;
    if (after_trailer(s) != NULL)
        return LINE_TRAILER;
    if (begins_with(s, FIELD_BEGIN) && s[2] != '\0' && strchr(BLANKS, s[2]) == NULL)
        return LINE_FIELD;
    if (begins_with(s, FIELD_CONTINUED))
        return LINE_FIELD_CONTINUED;
    if (*s == '#')
        return LINE_HEADER;
    if (is_blank(s))
        return LINE_BLANK;
    return is_row(s) ? LINE_ROW : LINE_OTHER;
}

const char *line_label(const char *s, size_t *len)
{
    const char *label = begin_of_label(s);
    *len = (size_t)(end_of_label(label) - label);
    return label;
}

const char *line_field(const char *s, size_t *name_len, const char **value)
{
    const char *name = s + strlen(FIELD_BEGIN);
    *name_len = strcspn(name, BLANKS);
    *value = name + *name_len + strspn(name + *name_len, BLANKS);
    return name;
}

const char *line_value(const char *s, const char *name)
{
    size_t begin = strlen(FIELD_BEGIN), len = strlen(name);
    bool named = begins_with(s, FIELD_BEGIN) && strncmp(s + begin, name, len) == 0;
    return named && s[begin + len] == ' ' ? s + begin + len + 1 : NULL;
}

const char *line_next(const char *s)
{
    const char *end = strchr(s, '\n');
    return end == NULL ? NULL : end + 1;
}

const char *line_continuation(const char *s)
{
    return s + strlen(FIELD_CONTINUED);
}

bool line_is_own_end(const char *s, size_t len)
{
    return len == strlen(END_OF_LIST) && memcmp(s, END_OF_LIST, len) == 0;
}

bool line_is_own_trailer(const char *s, size_t len)
{
    size_t size = strlen(TRAILER);
    return len > size && s[0] == '#' && memcmp(s + 1, TRAILER, size) == 0;
}

const char *line_own_label(const char *s, size_t len, size_t *label_len)
{
    size_t begin = 1 + strlen(LABEL_BEGIN), end = strlen(LABEL_END);
    if (len <= begin + end || s[0] != '#' || memcmp(s + 1, LABEL_BEGIN, begin - 1) != 0 ||
        memcmp(s + len - end, LABEL_END, end) != 0)
        return NULL;
    *label_len = len - begin - end;
    return s + begin;
}

void format_field(struct text *out, const char *name, const char *value)
{
    const char *end = value + strlen(value);
    while (end > value && (end[-1] == '\n' || end[-1] == '\r'))
        end--;
    text_add(out, "%s%s%s", FIELD_BEGIN, name, value < end ? " " : "");
    for (;;) {
        size_t len = strcspn(value, "\n");
        const char *stop = value + len < end ? value + len : end;
        bool crlf = stop > value && stop[-1] == '\r';
        text_add_printable(out, value, (size_t)(stop - value) - (crlf ? 1 : 0));
        text_add(out, "\n");
        if (stop == end)
            return;
        text_add(out, "%s", FIELD_CONTINUED);
        value = stop + 1;
    }
}

void format_begin_list(struct text *out, const char *label)
{
    text_add(out, "%s\n#%s%s%s\n", SEPARATOR, LABEL_BEGIN, label, LABEL_END);
}

void format_end_list(struct text *out)
{
    text_add(out, "%s\n", END_OF_LIST);
}

void format_trailer(struct text *out, bool merged)
{
    text_add(out, "#%s%s\n", TRAILER, merged ? MERGED : "");
}
