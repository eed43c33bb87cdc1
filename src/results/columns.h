/* The columns of a row, as given by the list's Format line (manual 3.2). Pure. */
#pragma once

#include "base/text.h"

enum column {
    COLUMN_TIME,
    COLUMN_ERROR,
    COLUMN_COUNT,
    COLUMN_TIME_ALL,
    COLUMN_ERROR_ALL,
    COLUMN_COUNT_ALL,
    COLUMN_KINDS,
    COLUMN_OTHER = COLUMN_KINDS /* a column that the manual does not define */
};

enum { MAX_ARGUMENTS = 4, MAX_RESULTS = 32 };

struct columns {
    size_t arguments;                /* they come first */
    size_t results;                  /* 0: the line does not name them; see columns_in_row */
    enum column result[MAX_RESULTS]; /* their kinds */
};

/* format is the text after "#Format:"; pattern, the text after "#Pattern:", says whether the rows
 * have an argument if an old format does not. Columns of node times are not counted: all columns
 * after the others are node times. Fails with too many columns, or none for the time. */
int columns_read(struct columns *c, const char *format, const char *pattern, struct err *e);

/* The number of result columns of a row that has this many numbers after its arguments (node times
 * included). */
size_t columns_in_row(const struct columns *c, size_t numbers);

/* Describes a Format line. arguments is the text between "<args>" and "<results>": "NAME [UNIT]
 * (FORMAT)" for each argument, or "". */
struct format_line {
    const char *arguments;
    const char *error_unit; /* unit of the error columns; NULL: microsec. */
    bool without_all; /* only the cleaned values (Cut_Quantile), not those of all repetitions */
    bool node_times;
};
void columns_add_format(struct text *out, const struct format_line *f);

/* Adds the arguments of a Format line, if any, such as "message length [bytes] (%d)". */
void columns_add_arguments(struct text *out, const char *format, const char *pattern);
