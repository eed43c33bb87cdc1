/* The one owner of how skampi.out looks (manual 3.2): its literals, its kinds of lines, and how
 * both are written. Columns are columns.h's, rows row_text.h's, names of facts fact.h's. Pure. */
#ifndef SKAMPI_RESULTS_FORMAT_H
#define SKAMPI_RESULTS_FORMAT_H

#include "base/text.h"

#include <stddef.h>

/* Header lines of a block that are read back; '#' comes before them. */
#define HEADER_PATTERN  "Pattern:"
#define HEADER_DEFAULTS "default values:"
#define HEADER_FORMAT   "Format:"

/* What of the default values is the duration of the suite, not a value. */
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

/* Borrowed parts of a line of the kind: the label; the field's name and value, or a further line of
 * its value. */
const char *line_label(const char *s, size_t *len);
const char *line_field(const char *s, size_t *name_len, const char **value);
const char *line_further(const char *s);

/* The value of a field of this name, up to the end of its line; NULL if it is another line. */
const char *line_value(const char *s, const char *name);

/* Does a trailer say that several runs were merged? */
bool line_is_merged(const char *s);

/* The same for a line of len bytes without its end, exactly as it is written below: end of a list,
 * trailer, and the label, NULL if it has none. */
bool line_is_own_end(const char *s, size_t len);
bool line_is_own_trailer(const char *s, size_t len);
const char *line_own_label(const char *s, size_t len, size_t *label_len);

/* Can a file begin with these bytes, be it torn? */
bool line_begins_own_file(const char *s, size_t len);

/* "#@NAME value"; the further lines of a value with several start with "# ". */
void format_field(struct text *out, const char *name, const char *value);

/* Separator and label; the end of a list; the last line of a file. */
void format_begin_list(struct text *out, const char *label);
void format_end_list(struct text *out);
void format_trailer(struct text *out, bool merged);

#endif
