/* What a line of a result file is (manual 3.2). Pure. */
#ifndef SKAMPI_RESULTS_LINE_KIND_H
#define SKAMPI_RESULTS_LINE_KIND_H

#include <stddef.h>

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

/* Borrowed parts of a line of the kind: the label; what stands behind "skampi finished.", NULL if
 * it is no trailer; the field's name and value. */
const char *line_label(const char *s, size_t *len);
const char *line_trailer(const char *s);
const char *line_field(const char *s, size_t *name_len, const char **value);

#endif
