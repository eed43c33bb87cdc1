/* The rules between parameters, once all of them have been read. */
#ifndef SKAMPI_PARAMS_CHECKS_H
#define SKAMPI_PARAMS_CHECKS_H

#include "params/params.h"

#include <stdbool.h>
#include <stddef.h>

#define SECTION_MISSING ((size_t)-1)

/* Is the file's version new enough? at: the place of @VERSION, or SECTION_MISSING. */
void checks_version(double version, size_t at, struct complaints *c);

/* at: the place of each section, in the order of their table; or SECTION_MISSING. */
void checks_sections(const struct params *p, const size_t *at, struct complaints *c);

/* Sections with errors: rules that need them are not checked. */
struct gaps {
    bool topologies;
    bool datatypes; /* @BASETYPEn, or what datatypes are built with */
    bool any;       /* these or others */
};

/* Every suite by itself, and all together, by the rules that have no gap. */
void checks_suites(const struct params *p, const struct gaps *gaps, struct complaints *c);

#endif
