/* The order of ranks: the key order of Parameters. */
#ifndef SKAMPI_PARAMS_RANK_ORDER_H
#define SKAMPI_PARAMS_RANK_ORDER_H

#include "params/values.h"

extern const struct value_kind value_order; /* of struct suite_options */

#endif
