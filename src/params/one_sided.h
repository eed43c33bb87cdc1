/* Rules for suites of one-sided communication: which synchronisations are legal for which calls. */
#ifndef SKAMPI_PARAMS_ONE_SIDED_H
#define SKAMPI_PARAMS_ONE_SIDED_H

#include "base/complaints.h"
#include "model/parameters.h"

void one_sided_check(const struct params *p, const struct suite *s, struct complaints *c);

#endif
