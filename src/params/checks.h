/* The rules between parameters, for params*.c, after all of them have been read. A check complains
 * and goes on: a reader of the file sees all that is wrong with it. */
#pragma once

#include "params/values.h"
#include "model/suite.h"

/* Complains if the file's version is too old or too new. at: the place of @VERSION, or
 * SECTION_MISSING. */
void checks_version(double version, size_t at, struct complaints *c);

void checks_sections(const struct params *p, const size_t *at, struct complaints *c);

/* Warns of sections with the default of a field that no suite uses. at: as above. */
void checks_defaults(const struct params *p, const size_t *at, struct complaints *c);

/* Kinds of sections with errors: the rules that need them are not checked. */
struct gaps {
    bool topologies;
    bool datatypes; /* @BASETYPEn, or parameters of constructors */
    bool any;       /* these or other sections */
};

/* Checks each suite and all suites together, except by rules that need a section with errors. */
void checks_suites(const struct params *p, const struct gaps *gaps, struct complaints *c);

/* Complains at a place in any text unless messages of this length can be sent. Returns 0 or -1. */
int checks_length(const struct params *p, const struct suite *s, long length, int processes,
                  size_t at, struct complaints *c);

/* Like complaints_add, at the place of a suite's Parameters; and "type 'PREFIX_NAME' " before the
 * text, at the place of a field. */
#define keys_reject(c, s, ...) complaints_add(c, (s)->at[FIELD_PARAMETERS], __VA_ARGS__)
int type_reject(struct complaints *c, const struct suite *s, enum field at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The rules of single subjects, each in a file of its own. */

void datatypes_check(const struct params *p, const struct suite *s, struct complaints *c);
void one_sided_check(const struct params *p, const struct suite *s, struct complaints *c);

/* Complains if @DATA and @CACHE contradict each other. at: as of section_place. */
void regime_check(const struct params *p, const size_t *at, struct complaints *c);

/* After all sections were read: the section that is not written follows the other one. */
void regime_join(struct params *p, const size_t *at);

/* Joins the keys of a suite; written: whether each key is. Returns 0, or -1 after a complaint. */
int regime_join_suite(struct suite *s, const bool *written, const struct value_input *in);

/* After all fields of a suite: with the key as, no repetition is cut. Returns 0, or -1 after a
 * complaint. */
int other_join_suite(struct suite *s, bool cut_written, const struct value_input *in);

/* After all fields of a suite: elem replaces the datatypes, and op becomes the usual operation if
 * the suite names none. Returns 0, or -1 after a complaint. */
int reduction_join_suite(struct suite *s, bool datatype_written, const struct value_input *in);

/* Check a suite's pairs against other parameters; and against the number of processes. */
void pairing_check(const struct suite *s, struct complaints *c);
void pairing_check_processes(const struct suite *s, int processes, struct complaints *c);

/* The rules between a suite's spread and its other parameters. */
void spread_check(const struct suite *s, struct complaints *c);

/* Complains about the first part of a suite that does not fit @MEMORY or the number of processes.
 * An End_Argument that does not fit is not an error: the suite ends before it (suite_range_cut). */
void memory_check(const struct params *p, const struct suite *s, int processes,
                  struct complaints *c);
