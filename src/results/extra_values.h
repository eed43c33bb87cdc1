/* Values that rows carry besides their time, because a pattern or an operation measures more. A
 * block names them, "#@EXTRA NAME [UNIT] what it is", and a row has them after its '#', as
 * NAME=value and, with a unit, NAME_error=error. Pure. */
#ifndef SKAMPI_RESULTS_EXTRA_VALUES_H
#define SKAMPI_RESULTS_EXTRA_VALUES_H

#include "base/text.h"
#include "model/catalog.h"

enum { EXTRA_MOST = 8, EXTRA_NAME_SIZE = 32 };

struct extra_value {
    double value; /* in its unit */
    double error; /* without a unit there is none */
};

/* The names that a block has. */
struct extra_names {
    struct {
        char name[EXTRA_NAME_SIZE];
        bool has_unit;
    } list[EXTRA_MOST];
    size_t count;
};

/* Adds the lines that name them; x ends with a NULL name. */
void extra_add_notes(struct text *out, const struct extra_info *x);

/* Reads such lines among the notes of a block; what is no such line, or too much, is passed over.
 */
void extra_read_notes(struct extra_names *n, const char *notes);

/* Adds one to a row. */
void extra_add_value(struct text *out, const char *name, bool has_unit,
                     const struct extra_value *v);

/* What the row has of n's i-th; NaN for what it lacks. text is the row from its '#'. */
struct extra_value extra_read_value(const struct extra_names *n, size_t i, const char *text);

/* The place of a name, count if it has none. */
size_t extra_find(const struct extra_names *n, const char *name);

#endif
