/* Interprets the values of @MEASUREMENTS, after all sections have been read. */
#ifndef SKAMPI_PARAMS_SUITE_READER_H
#define SKAMPI_PARAMS_SUITE_READER_H

#include "params/records.h"
#include "params/values.h"

/* Fills p->suites from the records in order, with one or several suites from each. Suites with
 * errors are omitted. in: the source and the context of its values. */
void suites_init(struct params *p, const struct records *records, const struct value_input *in);

#endif
