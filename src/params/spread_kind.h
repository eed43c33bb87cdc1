/* How an irregular collective divides what it sends: the key spread, a name and for some a number
 * after a colon, and the file of shares that it may name. */
#ifndef SKAMPI_PARAMS_SPREAD_KIND_H
#define SKAMPI_PARAMS_SPREAD_KIND_H

#include "params/values.h"

extern const struct value_kind value_spread; /* of struct suite_options */

/* The rules between a suite's spread and its other parameters. */
void spread_check(const struct suite *s, struct complaints *c);

/* Reads the shares of a suite from the text of its file: whole numbers, '#' begins a comment. An
 * all-to-all needs a row for each process, other operations need a number for each. Processes: of
 * the run; 0: any. Returns 0, or -1 after complaints about places in that text. */
int spread_read(const struct params *p, struct suite *s, const struct source *text, int processes,
                struct complaints *c);

#endif
