/* The statements "Field = value;" of a suite, in the grammar of @MEASUREMENTS. */
#ifndef SKAMPI_PARAMS_STATEMENTS_H
#define SKAMPI_PARAMS_STATEMENTS_H

#include "params/scan.h"

/* Reads from after a suite's '{' to after its '}', or to the name of the next suite, into
 * k->record. */
void statements_read(struct scan *k);

#endif
