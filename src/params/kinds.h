/* Kinds of values that only one or two parameters use. */
#ifndef SKAMPI_PARAMS_KINDS_H
#define SKAMPI_PARAMS_KINDS_H

#include "params/values.h"

extern const struct value_kind value_basetype;   /* struct basetype */
extern const struct value_kind value_topology;   /* struct topology */
extern const struct value_kind value_suites;     /* @MEASUREMENTS; stores nothing, has no parse */
extern const struct value_kind value_suite_type; /* the type of a struct suite */
extern const struct value_kind value_datatype;   /* int, the number of a struct datatype_info */
extern const struct value_kind value_parameters; /* the options of a struct suite */

/* A long and an enum of struct suite_options: one of row->forms, and its number. A file's name goes
 * to the member file. */
extern const struct value_kind value_formed;

extern const struct value_kind value_case; /* struct own_case */
extern const struct value_kind value_elem; /* a predefined type's number, by its name; 0: none */

#endif
