/* What the values of @MEASUREMENTS mean, once all sections have been read. */
#ifndef SKAMPI_PARAMS_SUITE_READER_H
#define SKAMPI_PARAMS_SUITE_READER_H

#include "params/suites.h"
#include "params/values.h"

/* Fills p->suites from the records, one suite or several from each, in their order. Suites that are
 * complained about are left out. in: the source, and what is needed to understand values. */
void suites_init(struct params *p, const struct records *records, const struct value_input *in);

#endif
