/* The fields of a suite (manual 2.1.4): one row each, in the order of enum field. */
#ifndef SKAMPI_PARAMS_FIELDS_H
#define SKAMPI_PARAMS_FIELDS_H

#include "params/values.h"

/* The row of a field, with its offset in struct suite. FIELD_NAME has no row: its name is NULL. */
const struct value_row *field_get(enum field field);

/* The fields that a name sets, as bits 1 << enum field (Basetype_Number sets two); 0: unknown name.
 */
unsigned field_mask(const char *name, size_t len);

/* The most similar name of a field, for a suggestion; NULL if none is similar. */
const char *field_nearest(const char *name);

/* Reads the value of a field; in->to == 0: use the default. The fields before it must have been
 * read. Returns 0, or -1 after a complaint. */
int field_parse(enum field field, const struct value_input *in, struct suite *s);

/* Do the field's values concern the arguments, so that they are meaningless for another variation?
 */
bool field_concerns_arguments(enum field field);

#endif
