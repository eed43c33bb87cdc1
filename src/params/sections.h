/* The @SECTIONS of the parameter file (manual 2.1.1): one row each. */
#ifndef SKAMPI_PARAMS_SECTIONS_H
#define SKAMPI_PARAMS_SECTIONS_H

#include "params/values.h"

size_t section_count(void);
const struct value_row *section_get(size_t i); /* names begin with '@'; offsets in struct params */

/* The index of a name or alias (with '@'); section_count() if it is unknown. */
size_t section_index(const char *name, size_t len);

/* Does the section itself determine what is measured and how? Texts and file names do not, nor do
 * defaults, which appear in the values of the suites. */
bool section_matters(const struct value_row *row);

/* The most similar name of a section, for a suggestion; NULL if none is similar. */
const char *section_nearest(const char *name);

/* Sets a missing section to its default. Returns 0, or -1 after a complaint. */
int section_set_default(const struct value_row *row, struct params *p, struct complaints *c);

/* Like value_parse, but Default_Value means the value of the section in row->section. */
int section_value_parse(const struct value_row *row, const struct value_input *in, void *base);

/* Reads this text instead of that in the file, for defaults. */
int section_text_parse(const struct value_row *row, const char *text, const struct value_input *in,
                       void *base);

/* The names of the values of @CACHE, @DATA and @ERROR, which the keys cache, data and error share.
 */
extern const char *const cache_names[];
extern const char *const data_names[];
extern const char *const error_names[];

#endif
