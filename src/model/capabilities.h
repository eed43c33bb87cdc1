/* What MPI libraries or the program may lack, and which suites need it. A row of an operation names
 * its needs; a virtual topology adds its own. */
#ifndef SKAMPI_MODEL_CAPABILITIES_H
#define SKAMPI_MODEL_CAPABILITIES_H

#include "model/parameters.h"

struct capability_info {
    enum capability bit;
    const char *text;   /* "the MPI library lacks graph topologies" */
    bool only_if_empty; /* needed only by suites that send messages of 0 bytes */
};

size_t capability_count(void);
const struct capability_info *capability_get(size_t i);

/* The first row among the bits; NULL: none. */
const struct capability_info *capability_first(unsigned bits);

/* What measuring the suite needs, as bits of enum capability. */
unsigned suite_needs(const struct params *p, const struct suite *s);

#endif
