/* The fields of a suite (manual 2.1.4): one row each, in the order of enum field. */
#ifndef SKAMPI_PARAMS_FIELDS_H
#define SKAMPI_PARAMS_FIELDS_H

#include "params/values.h"

/* Offsets in struct suite; FIELD_NAME has no row, its name is NULL. */
const struct value_row *field_get(enum field field);

/* Which fields a name sets, as bits 1 << enum field (Basetype_Number sets two); 0: unknown. */
unsigned field_mask(const char *name, size_t len);

/* The field whose name is nearest, for a suggestion; NULL if none is near. */
const char *field_nearest(const char *name);

/* Reads the value of a field; in->to == 0: it is missing. The fields before it have been read.
 * 0, or -1 after a complaint. */
int field_parse(enum field field, const struct value_input *in, struct suite *s);

/* Do the values mean arguments of the suite, so that they mean nothing for another variation? */
bool field_is_about_arguments(enum field field);

#endif
