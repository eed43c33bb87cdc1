/* Which processes form pairs: the key pairs of Parameters, and the file that it may name. */
#ifndef SKAMPI_PARAMS_PAIRING_H
#define SKAMPI_PARAMS_PAIRING_H

#include "params/values.h"

extern const struct value_kind value_pairing; /* of struct suite_options */

/* Reads the pairs of a suite from the text of its file: two ranks each, '#' begins a comment. No
 * rank may occur twice, and each must be below processes (0: any). Returns 0, or -1 after
 * complaints about places in that text. */
int pairing_read(struct suite *s, const struct source *text, int processes, struct complaints *c);

/* The rules between a suite's pairs and its other parameters; those that need the number of
 * processes. */
void pairing_check(const struct suite *s, struct complaints *c);
void pairing_check_processes(const struct suite *s, int processes, struct complaints *c);

#endif
