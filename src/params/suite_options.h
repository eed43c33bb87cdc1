/* The keys of a suite's Parameters = "key=value key=value": one row each. */
#ifndef SKAMPI_PARAMS_SUITE_OPTIONS_H
#define SKAMPI_PARAMS_SUITE_OPTIONS_H

#include "params/values.h"

size_t suite_option_count(void);
const struct value_row *suite_option_get(size_t i); /* offsets in struct suite_options */

/* Reads all keys of a suite; in is the text between the quotes. Returns 0, or -1 after complaints.
 * The suite's type is set before, or NULL if unknown. */
int suite_options_parse(struct suite *s, const struct value_input *in);

/* Adds key=value for every key that the suite may have. */
void suite_options_print(const struct suite *s, struct text *out);

#endif
