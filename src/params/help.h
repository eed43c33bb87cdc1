/* What --help-params and its forms for the manual (document.c) have in common: the three tables of
 * the parameter file behind one index. */
#ifndef SKAMPI_PARAMS_HELP_H
#define SKAMPI_PARAMS_HELP_H

#include "params/values.h"

struct help_table {
    const char *title, *form; /* what it is a table of, and how such a thing is written */
    size_t (*count)(void);
    const struct value_row *(*get)(size_t i);
};

enum { HELP_TABLES = 3 };
const struct help_table *help_table_get(size_t n);

/* "an integer from 1 to 10, in bytes" */
void help_values(const struct value_row *row, struct text *out);

/* As a person reads it; NULL: there is none. */
const char *help_default(const struct value_row *row);

/* Not so where a row is documented as the one before is: @BASETYPE2 and its like. */
bool help_is_new(const struct help_table *t, size_t i);

#endif
