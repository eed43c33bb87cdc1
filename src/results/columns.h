/* Which numbers are in a row, as the list's Format line says (manual 3.2). Pure. */
#ifndef SKAMPI_RESULTS_COLUMNS_H
#define SKAMPI_RESULTS_COLUMNS_H

#include "base/err.h"
#include "base/text.h"

enum column {
    COLUMN_TIME,
    COLUMN_ERROR,
    COLUMN_COUNT,
    COLUMN_TIME_ALL,
    COLUMN_ERROR_ALL,
    COLUMN_COUNT_ALL,
    COLUMN_KINDS,
    COLUMN_OTHER = COLUMN_KINDS /* a column that is not the manual's */
};

enum { ARGUMENTS_MOST = 4, RESULTS_MOST = 32 };

struct columns {
    size_t arguments; /* they come first */
    size_t results;   /* 0: the line does not name them; see columns_kind */
    enum column result[RESULTS_MOST];
};

/* format is the text after "#Format:"; pattern, the text after "#Pattern:", says whether the rows
 * have an argument if an old format does not. Columns of node times are not counted: all columns
 * after the others are node times. Fails if a row has too many columns or has no time. */
int columns_read(struct columns *c, const char *format, const char *pattern, struct err *e);

/* The kind of a column in a row with this number of result columns (including node times). */
size_t columns_in_row(const struct columns *c, size_t numbers);
enum column columns_get(const struct columns *c, size_t i);

/* Adds the Format line, but for what comes before "<results>" where there are arguments: their text
 * is "NAME [UNIT] (FORMAT)", perhaps several, or "". */
struct format_line {
    const char *arguments;
    const char *error_unit; /* says what the errors are errors of; NULL: microsec. */
    bool without_all;       /* no columns for what is not cut off */
    bool node_times;
};
void columns_add_format(struct text *out, const struct format_line *f);

/* The arguments for a Format line: "message length [bytes] (%d)", "" without any. */
void columns_add_arguments(struct text *out, const char *format, const char *pattern);

#endif
