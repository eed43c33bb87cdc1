/* Checks the rules between parameters, after all of them have been read. */
#ifndef SKAMPI_PARAMS_CHECKS_H
#define SKAMPI_PARAMS_CHECKS_H

#include "params/params.h"

#include <stdbool.h>
#include <stddef.h>

#define SECTION_MISSING ((size_t)-1)

/* Complains if the file's version is too old. at: the place of @VERSION, or SECTION_MISSING. */
void checks_version(double version, size_t at, struct complaints *c);

/* at: for each section, in the order of their table, its place or SECTION_MISSING. */
void checks_sections(const struct params *p, const size_t *at, struct complaints *c);

/* Kinds of sections with errors: the rules that need them are not checked. */
struct gaps {
    bool topologies;
    bool datatypes; /* @BASETYPEn, or what datatypes are built with */
    bool any;       /* these or other sections */
};

/* Checks each suite and all suites together, except by rules that need a section with errors. */
void checks_suites(const struct params *p, const struct gaps *gaps, struct complaints *c);

#endif
