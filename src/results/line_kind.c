#include "results/line_kind.h"

#include "base/text.h"

#include <string.h>

static const char BLANKS[] = " \t\r\f\v";
static const char LABEL_BEGIN[] = "/*@in";
static const char LABEL_END[] = ".ski*/";
static const char END_OF_LIST[] = "#eol";
static const char FIELD_BEGIN[] = "#@";
static const char TRAILER[] = "skampi finished.";

static bool begins_with(const char *s, const char *beginning)
{
    return strncmp(s, beginning, strlen(beginning)) == 0;
}

static bool is_blank(const char *s)
{
    return s[strspn(s, BLANKS)] == '\0';
}

/* The last end of a label in the line, with nothing but blanks behind it; or NULL. */
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

static bool is_label(const char *s)
{
    const char *label = begin_of_label(s);
    return label != NULL && end_of_label(label) != NULL;
}

static bool is_separator(const char *s)
{
    size_t dashes = *s == '#' ? strspn(s + 1, "-") : 0;
    return dashes >= 3 && is_blank(s + 1 + dashes);
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool is_end_of_list(const char *s)
{
    return begins_with(s, END_OF_LIST) && !is_word(s[strlen(END_OF_LIST)]);
}

const char *line_trailer(const char *s)
{
    s += *s == '#';
    s += *s != '\0' && strchr(BLANKS, *s) != NULL;
    return begins_with(s, TRAILER) ? s + strlen(TRAILER) : NULL;
}

static bool is_trailer(const char *s)
{
    return line_trailer(s) != NULL;
}

static bool is_field(const char *s)
{
    return begins_with(s, FIELD_BEGIN) && s[2] != '\0' && strchr(BLANKS, s[2]) == NULL;
}

static bool is_field_continued(const char *s)
{
    return begins_with(s, "# ");
}

static bool is_header(const char *s)
{
    return *s == '#';
}

/* Whether it is a good one shows when it is read. */
static bool is_row(const char *s)
{
    s += strspn(s, BLANKS);
    s += *s == '+' || *s == '-';
    if (text_same_n(s, strnlen(s, 3), "nan") || text_same_n(s, strnlen(s, 3), "inf"))
        return true;
    s += *s == '.';
    return *s >= '0' && *s <= '9';
}

static bool is_other(const char *s)
{
    (void)s;
    return true;
}

enum line_kind line_kind_of(const char *s)
{
    /* the first that fits */
    static bool (*const fits[])(const char *s) = {
        [LINE_LABEL] = is_label,
        [LINE_SEPARATOR] = is_separator,
        [LINE_END_OF_LIST] = is_end_of_list,
        [LINE_TRAILER] = is_trailer,
        [LINE_FIELD] = is_field,
        [LINE_FIELD_CONTINUED] = is_field_continued,
        [LINE_HEADER] = is_header,
        [LINE_BLANK] = is_blank,
        [LINE_ROW] = is_row,
        [LINE_OTHER] = is_other,
    };
    enum line_kind kind = LINE_LABEL;
    while (!fits[kind](s))
        kind++;
    return kind;
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
