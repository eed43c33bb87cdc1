/* The value of the key spread: a name, and for some a number after a colon. */
#ifndef SKAMPI_PARAMS_SPREAD_KIND_H
#define SKAMPI_PARAMS_SPREAD_KIND_H

#include "params/values.h"

extern const struct value_kind value_spread; /* struct suite_options: spread and spread_number */

#endif
