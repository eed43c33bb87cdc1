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

/* Every suite by itself, and all together. sections_read: no section's value was wrong, so the
 * rules that need them can be checked, too. */
void checks_suites(const struct params *p, bool sections_read, struct complaints *c);

#endif
