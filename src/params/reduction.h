/* The keys op and elem: how a reduction combines which elements. */
#ifndef SKAMPI_PARAMS_REDUCTION_H
#define SKAMPI_PARAMS_REDUCTION_H

#include "params/values.h"

extern const struct value_kind value_elem; /* a predefined type's number, by its name; 0: none */

/* After all fields of a suite: elem replaces the datatypes, and op becomes the usual operation if
 * the suite names none. Returns 0, or -1 after a complaint. */
int reduction_join_suite(struct suite *s, bool datatype_written, const struct value_input *in);

void reduction_check(const struct params *p, const struct suite *s, struct complaints *c);

#endif
