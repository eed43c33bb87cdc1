/* The @SECTIONS of the parameter file (manual 2.1.1): one row each. */
#ifndef SKAMPI_PARAMS_SECTIONS_H
#define SKAMPI_PARAMS_SECTIONS_H

#include "params/values.h"

size_t section_count(void);
const struct value_row *section_get(size_t i); /* names begin with '@'; offsets in struct params */

/* By name or alias with the '@'; section_count() if there is none. */
size_t section_index(const char *name, size_t len);

/* Does the section itself decide what is measured and how? Texts, names of files and defaults,
 * which appear in the suites' own values, do not. */
bool section_matters(const struct value_row *row);

/* The section with the nearest name, for a suggestion; NULL if none is near. */
const char *section_nearest(const char *name);

/* Gives a missing section its default. 0, or -1 with a complaint. */
int section_set_default(const struct value_row *row, struct params *p, struct complaints *c);

/* Like value_parse, but Default_Value means the value of the section in row->section. */
int section_value_parse(const struct value_row *row, const struct value_input *in, void *base);

/* Reads the text instead of that in the file; for the default of a row. */
int section_text_parse(const struct value_row *row, const char *text, const struct value_input *in,
                       void *base);

/* Names of the values of @CACHE, for the key cache too. */
const char *cache_choice(size_t i);

#endif
