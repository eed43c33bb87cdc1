/* From a record to its suites: a field with a list (Type = 47, 61;) makes a suite for each value,
 * several such fields one for each combination. The field that is written last varies fastest. */
#ifndef SKAMPI_PARAMS_EXPANSION_H
#define SKAMPI_PARAMS_EXPANSION_H

#include "base/text.h"
#include "params/suites.h"

struct expansion {
    const struct source *source;
    const struct record *record;
    struct slice values[FIELD_COUNT]; /* of the present suite; to == 0: there is none */
    enum field lists[FIELD_COUNT];    /* fields with lists, in the order they are written in */
    int list_count;
};

/* How many suites the record makes; more than most: most + 1. */
size_t expansion_count(const struct source *s, const struct record *record, size_t most);

/* The first suite; each further one, or false behind the last. */
void expansion_init(struct expansion *x, const struct source *s, const struct record *record);
bool expansion_next(struct expansion *x);

/* Adds the present suite's name: each '*' in the record's becomes the value of a list, in their
 * order, and those of further lists follow, each behind a '-'. A type's value is its name without
 * the pattern's prefix, others are as they are written. type: of the present suite. */
void expansion_name(const struct expansion *x, const struct type_info *type, struct text *out);

/* How many '*' there are in the record's name beyond its lists; 0 without lists. */
int expansion_stars_left(const struct expansion *x);

#endif
