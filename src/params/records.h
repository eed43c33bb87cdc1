/* The grammar of @MEASUREMENTS (manual 2.1.7): any number of NAME { Field = value; ... }.
 * Beyond 4.1, a value may be a list: value, value, ... The values are interpreted later, when the
 * whole file has been read. */
#pragma once

#include "params/values.h"
#include "model/suite.h"

/* A part of the source; to == 0 if it is empty. */
struct slice {
    size_t from, to;
};

/* The text of a suite, or of several that differ in the values of lists (records_suites.c). */
struct record {
    struct slice name;
    struct slice fields[FIELD_COUNT]; /* the values without white space around them */
    unsigned lists;                   /* bits 1 << enum field: the value is a list */
    bool broken;                      /* complained about */
};

struct records {
    struct record *list; /* owned */
    size_t count, capacity;
    bool full; /* the file has too many; complained about */
};

enum { MAX_RECORDS = 100000, SUITE_NAME_LONGEST = 200 };

/* Adds the suites in a part of the source. Goes on after errors, to complain about all of them. */
void records_read(struct records *r, const struct source *s, struct slice part,
                  struct complaints *c);

/* Sets fields of all records to those in a part of the source that is empty or ends with '}'.
 * Returns the keys among them, without their quotes. */
struct slice records_set(struct records *r, const struct source *s, struct slice part,
                         struct complaints *c);

/* Does the text contain a suite, NAME { Field = ...? Reports no errors. */
bool records_found(const struct source *s, struct slice part);

void records_release(struct records *r);

/* After all sections have been read: fills p->suites from the records in order, one or several from
 * each, without those with errors. in: the source and the context of its values. */
void suites_init(struct params *p, const struct records *records, const struct value_input *in);
