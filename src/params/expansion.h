/* Expands a record into suites: a field with a list (Type = 47, 61;) makes one suite per value;
 * several lists make one suite per combination. The field written last varies fastest. */
#ifndef SKAMPI_PARAMS_EXPANSION_H
#define SKAMPI_PARAMS_EXPANSION_H

#include "base/text.h"
#include "params/records.h"

struct expansion {
    const struct source *source;
    const struct record *record;
    struct slice values[FIELD_COUNT]; /* of the current suite; to == 0: no value */
    enum field lists[FIELD_COUNT]; /* fields with lists, in the order in which they are written */
    int list_count;
};

/* The number of suites that the record makes; most + 1 if it is more than most. */
size_t expansion_count(const struct source *s, const struct record *record, size_t most);

/* Select the first suite; the next one, or return false after the last. */
void expansion_init(struct expansion *x, const struct source *s, const struct record *record);
bool expansion_next(struct expansion *x);

/* Adds the current suite's name: each '*' in the record's name is replaced by the value of a list,
 * in order; the values of further lists are appended, each after a '-'. The value of Type appears
 * as the type's name without the pattern's prefix, other values as written. type: of the current
 * suite. */
void expansion_name(const struct expansion *x, const struct type_info *type, struct text *out);

/* The number of '*' in the record's name minus that of its lists, at least 0; 0 without lists. */
int expansion_stars_left(const struct expansion *x);

#endif
