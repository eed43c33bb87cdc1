/* Shared by --help-params and its forms for the manual (document.c): an index of all three tables
 * of the parameter file. */
#ifndef SKAMPI_PARAMS_HELP_H
#define SKAMPI_PARAMS_HELP_H

#include "params/values.h"

struct help_table {
    const char *title, *form; /* what the table lists, and how an entry is written */
    size_t (*count)(void);
    const struct value_row *(*get)(size_t i);
};

enum { HELP_TABLES = 3 };
const struct help_table *help_table_get(size_t n);

/* "an integer from 1 to 10, in bytes" */
void help_values(const struct value_row *row, struct text *out);

/* In the form for a person; NULL: none. */
const char *help_default(const struct value_row *row);

/* False if a row is documented by the one before: @BASETYPE2 and the like. */
bool help_is_new(const struct help_table *t, size_t i);

#endif
