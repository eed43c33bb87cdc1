/* Which data a suite sends: kept, fresh or cold. The keys data, cache and paced and the sections
 * @DATA and @CACHE say parts of it: cold data and a cold cache are the same. */
#ifndef SKAMPI_PARAMS_REGIME_H
#define SKAMPI_PARAMS_REGIME_H

#include "params/values.h"

/* Complains if @DATA and @CACHE contradict each other. at: for each section its place, or
 * SECTION_MISSING. */
void regime_check(const struct params *p, const size_t *at, struct complaints *c);

/* After all sections were read: the section that is not written follows the other one. */
void regime_join(struct params *p, const size_t *at);

/* The same for the keys of a suite; written: bits 1 << enum suite_option. Returns 0, or -1 after a
 * complaint. */
int regime_join_suite(struct suite *s, option_set written, const struct value_input *in);

#endif
