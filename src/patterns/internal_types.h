/* The types of the internal pattern, 50 to 53. They read clocks, which operations do not. */
#ifndef SKAMPI_PATTERNS_INTERNAL_TYPES_H
#define SKAMPI_PATTERNS_INTERNAL_TYPES_H

#include "patterns/op.h"

extern const struct op_family internal_family;

#endif
