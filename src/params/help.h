/* The three tables of the parameter file, for --help-params and for the manual (document.c). */
#ifndef SKAMPI_PARAMS_HELP_H
#define SKAMPI_PARAMS_HELP_H

#include "params/values.h"

struct help_table {
    const char *title, *form; /* what the table lists, and the syntax of an entry */
    size_t (*count)(void);
    const struct value_row *(*get)(size_t i);
};

enum { HELP_TABLES = 3 };
const struct help_table *help_table_get(size_t n);

/* "an integer from 1 to 10, in bytes" */
void help_values(const struct value_row *row, struct text *out);

/* The default as shown to the user; NULL: none. */
const char *help_default(const struct value_row *row);

/* False if the previous row documents this one as well, such as @BASETYPE2. */
bool help_is_new(const struct help_table *t, size_t i);

#endif
