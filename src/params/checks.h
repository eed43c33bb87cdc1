/* The rules between parameters, once all of them have been read. */
#ifndef SKAMPI_PARAMS_CHECKS_H
#define SKAMPI_PARAMS_CHECKS_H

#include "params/params.h"

#include <stdbool.h>
#include <stddef.h>

#define SECTION_MISSING ((size_t)-1)

/* Is the file as new as it has to be? at: where @VERSION stands, or SECTION_MISSING. */
void checks_version(double version, size_t at, struct complaints *c);

/* at: where each section stands, in the order of their table; or SECTION_MISSING. */
void checks_sections(const struct params *p, const size_t *at, struct complaints *c);

/* Sections that were not understood: what rules that need them say would be beside the point. */
struct gaps {
    bool topologies;
    bool datatypes; /* @BASETYPEn, or what datatypes are built with */
    bool any;       /* these or others */
};

/* Every suite by itself, and all together, by the rules that have no gap. */
void checks_suites(const struct params *p, const struct gaps *gaps, struct complaints *c);

#endif
