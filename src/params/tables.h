/* The three tables of the parameter file: @SECTIONS (manual 2.1.1), fields of a suite (2.1.4), and
 * keys of a suite's Parameters = "key=value key=value". One row each. */
#pragma once

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

/* The row of a field, with its offset in struct suite. FIELD_NAME has no row: its name is NULL. */
const struct value_row *field_get(enum field field);

/* The fields that a name sets, as bits 1 << enum field (Basetype_Number sets two); 0: unknown name.
 */
unsigned field_mask(const char *name, size_t len);

/* The most similar name of a field, for a suggestion; NULL if none is similar. */
const char *field_nearest(const char *name);

/* Reads the value of a field; in->to == 0: use the default. The fields before it must have been
 * read. Returns 0, or -1 after a complaint. */
int field_parse(enum field field, const struct value_input *in, struct suite *s);

/* Do the field's values concern the arguments, so that they are meaningless for another variation?
 */
bool field_concerns_arguments(enum field field);

size_t suite_option_count(void);
const struct value_row *suite_option_get(size_t i); /* offsets in struct suite_options */

/* Reads all keys of a suite; in is the text between the quotes. Returns 0, or -1 after complaints.
 * The suite's type is set before, or NULL if unknown. */
int suite_options_parse(struct suite *s, const struct value_input *in);

/* Adds key=value for every key that the suite may have. */
void suite_options_print(const struct suite *s, struct text *out);
