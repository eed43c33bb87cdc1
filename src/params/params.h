/* Reads, checks, documents and prints the parameter file. */
#ifndef SKAMPI_PARAMS_PARAMS_H
#define SKAMPI_PARAMS_PARAMS_H

#include "base/complaints.h"
#include "base/markup.h"
#include "base/text.h"
#include "model/parameters.h"

#include <stdint.h>

/* Reads and checks a whole file; adds all errors to c. Returns 0 if the file is valid. Release p in
 * any case. */
int params_read(struct params *p, const struct source *s, const struct catalog *types,
                struct complaints *c);

/* The checks that need the number of processes: ranks, nodes, lengths against @MEMORY. Returns 0
 * if every suite can be measured. */
int params_check_processes(const struct params *p, int processes, struct complaints *c);

void params_release(struct params *p);

/* Add the effective parameters, in the syntax of the file: a line "@NAME value" for each section
 * except text sections; a suite as "NAME { Field = value; ... }" on one line. */
void params_echo_sections(const struct params *p, struct text *out);
void params_echo_suite(const struct params *p, const struct suite *s, struct text *out);

/* A line for each file of pairs, shares or neighbours: its name, and a hash of what was read. */
void params_echo_files(const struct params *p, struct text *out);

/* Hash of the echo of all parameters that determine what is measured and how. It does not depend on
 * texts, file names, defaults that no suite uses, or the spelling and order of sections and fields.
 * Returns 0, or -1 if out of memory. */
int params_fingerprint(const struct params *p, uint64_t *fingerprint);

/* --help-params: adds all rows, or those whose name matches; returns -1 if none does. */
int params_help(const char *name, struct text *out);

/* The same rows for the manual and its pages. LaTeX: environments skampirows {title}{form} with
 * rows \skampirow{name}{values}{default}{text}{other spellings}. POD: a =head2 with a list for each
 * table. */
void params_document(enum markup markup, struct text *out);

#endif
