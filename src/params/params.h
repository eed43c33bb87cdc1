/* The parameter file: reads, checks, explains and prints it. */
#ifndef SKAMPI_PARAMS_PARAMS_H
#define SKAMPI_PARAMS_PARAMS_H

#include "base/complaints.h"
#include "base/markup.h"
#include "base/text.h"
#include "model/parameters.h"

#include <stdint.h>

/* Reads and checks a whole file; adds all errors to c. Returns 0 if the file can be used. Release p
 * in either case. */
int params_read(struct params *p, const struct source *s, const struct catalog *types,
                struct complaints *c);

/* The checks that need the number of processes: ranks, nodes, lengths against @MEMORY. Returns 0
 * if every suite can be measured. */
int params_check_processes(const struct params *p, int processes, struct complaints *c);

void params_release(struct params *p);

/* The effective parameters, in the syntax of the file. Sections: one line "@NAME value" each,
 * without text sections. Suite: "NAME { Field = value; ... }" on one line. */
void params_echo_sections(const struct params *p, struct text *out);
void params_echo_suite(const struct params *p, const struct suite *s, struct text *out);

/* Hash of the echo of all parameters that decide what is measured and how. It does not depend on
 * other texts, names of files, defaults that no suite uses, nor on the spelling and order of
 * sections and fields. 0, or -1 without memory. */
int params_fingerprint(const struct params *p, uint64_t *fingerprint);

/* --help-params: all rows, or those whose name matches; returns -1 if none does. */
int params_help(const char *name, struct text *out);

/* The same rows for the manual and its pages. LaTeX: environments skampirows {title}{form} with
 * rows \skampirow{name}{values}{default}{text}{other spellings}. POD: a =head2 with a list each. */
void params_document(enum markup markup, struct text *out);

#endif
