/* The three tables of the parameter file: @SECTIONS (manual 2.1.1), fields of a suite (2.1.4), and
 * keys of a suite's Parameters = "key=value key=value". One row each. */
#pragma once

#include "model/suite.h"
#include "params/values.h"

struct value_table {
    const char *what; /* "section" */
    const struct value_row *rows;
    size_t count;
};

extern const struct value_table section_table; /* names begin with '@'; offsets in struct params */
extern const struct value_table field_table;   /* in struct suite */
extern const struct value_table key_table;     /* by enum suite_option; in struct suite_options */

/* The row with a name or alias; NULL without a match. */
const struct value_row *table_find(const struct value_table *t, const char *name, size_t len);

/* The most similar name, for a suggestion; NULL if none is similar. */
const char *table_nearest(const struct value_table *t, const char *name);

/* Complains that the table lacks this name. Always returns -1. */
int table_unknown(const struct value_table *t, struct complaints *c, size_t offset,
                  const char *name);

/* The place of a section, by its name. at: by the section's row, its place or SECTION_MISSING. */
#define SECTION_MISSING ((size_t)-1)
size_t section_place(const size_t *at, const char *section);

/* Does the section itself determine what is measured and how? Texts and file names do not, nor do
 * defaults, which appear in the values of the suites. */
bool section_matters(const struct value_row *row);

/* Sets a missing section to its default. Returns 0, or -1 after a complaint. */
int section_set_default(const struct value_row *row, struct params *p, struct complaints *c);

/* Reads one value; a missing one is an error, and Default_Value means the value of the section in
 * row->section. Returns 0, or -1 after a complaint. */
int section_value_parse(const struct value_row *row, const struct value_input *in, void *base);

/* Reads this text instead of that in the file, for defaults. */
int section_text_parse(const struct value_row *row, const char *text, const struct value_input *in,
                       void *base);

/* A word of Max_Steps and @MAXSTEPSDEFAULT. */
#define SWEEP_AND_MORE WORDS({ "Sweep+16", 0 })

/* Names of the values of @CACHE, @DATA and @ERROR, which the keys cache, data and error share. */
extern const char *const cache_names[];
extern const char *const data_names[];
extern const char *const error_names[];

/* Names of kinds of memory, for @BUFFERS_IN and send_in; receive_in has one more: same. */
extern const char *const memory_names[];
extern const char *const thread_level_names[]; /* of enum thread_level; ends with NULL */

/* FIELD_NAME has no row: its name is NULL. */
const struct value_row *field_get(enum field field);

/* The fields that a name sets, as bits 1 << enum field (Basetype_Number sets two); 0: unknown. */
unsigned field_mask(const char *name, size_t len);

/* Reads the value of a field; in->to == 0: use the default. The fields before it must have been
 * read. Returns 0, or -1 after a complaint. */
int field_parse(enum field field, const struct value_input *in, struct suite *s);

/* Reads all keys of a suite; in is the text between the quotes. Returns 0, or -1 after complaints.
 * The suite's type is set before, or NULL if unknown. */
int suite_options_parse(struct suite *s, const struct value_input *in);

/* Adds key=value for every key that the suite may have. */
void suite_options_print(const struct suite *s, struct text *out);
