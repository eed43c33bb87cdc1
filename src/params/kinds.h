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

/* Members of struct suite_options. */
extern const struct value_kind value_pairing; /* which processes form pairs */
extern const struct value_kind value_order;   /* of the ranks */
extern const struct value_kind value_root;
extern const struct value_kind value_spread; /* how an irregular collective divides what it sends */

extern const struct value_kind value_elem; /* a predefined type's number, by its name; 0: none */

#endif
