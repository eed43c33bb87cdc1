/* The syntax of skampi.out (manual 3.2): its literals, its kinds of lines, and how to write them.
 * Columns are in columns.h, rows in row_text.h, and the names of header facts in fact.h. Pure. */
#pragma once

#include "base/text.h"

/* Header lines of a block that the reader uses; each follows a '#'. */
#define HEADER_PATTERN  "Pattern:"
#define HEADER_DEFAULTS "default values:"
#define HEADER_FORMAT   "Format:"

/* The part of the default values that is the duration of the suite, not a value. */
#define DEFAULTS_TIME ", max. / act. time for suite "

enum line_kind {
    LINE_LABEL,     /* a list begins */
    LINE_SEPARATOR, /* "#-----" */
    LINE_END_OF_LIST,
    LINE_TRAILER,
    LINE_FIELD,           /* "#@NAME value" */
    LINE_FIELD_CONTINUED, /* "# value" */
    LINE_HEADER,          /* any other with '#' */
    LINE_BLANK,
    LINE_ROW,
    LINE_OTHER
};

enum line_kind line_kind_of(const char *s);

/* Parts of a line of that kind (borrowed): label; name and value of a field; continuation. */
const char *line_label(const char *s, size_t *len);
const char *line_field(const char *s, size_t *name_len, const char **value);
const char *line_continuation(const char *s);

/* The value of the field with this name, up to the end of the line; NULL for other lines. */
const char *line_value(const char *s, const char *name);

/* The line after this one; NULL after the last. */
const char *line_next(const char *s);

/* Is it the trailer of a merge? */
bool line_is_merged(const char *s);

/* Strict versions for a line of len bytes without its line end, which accept only what the
 * functions below write: the end of a list, the trailer, and the label (or NULL). */
bool line_is_own_end(const char *s, size_t len);
bool line_is_own_trailer(const char *s, size_t len);
const char *line_own_label(const char *s, size_t len, size_t *label_len);

/* Adds "#@NAME value"; continuation lines of a multi-line value start with "# ". */
void format_field(struct text *out, const char *name, const char *value);

/* Add the separator and label; the end of a list; the last line of a file. */
void format_begin_list(struct text *out, const char *label);
void format_end_list(struct text *out);
void format_trailer(struct text *out, bool merged);
