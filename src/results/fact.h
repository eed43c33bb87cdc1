/* The header facts of skampi.out, "#@NAME value": one table for the code that writes, compares and
 * documents them. Pure. */
#pragma once

#include "base/text.h"

enum fact {
#define FACT(place, privacy, constant, ...) FACT_##constant,
#include "results/facts.def"
#undef FACT
    FACT_COUNT
};

#define MICROSEC "microsec."

enum fact_place { FACT_OF_HEADER, FACT_OF_MERGE, FACT_OF_BLOCK, FACT_OF_TRAILER, FACT_PLACES };

/* The parts of a fact that must be equal in two runs to be merged. */
enum fact_same {
    SAME_NOTHING,
    SAME_TEXT,
    SAME_SECTIONS,  /* the sections of the parameter file that change what is measured */
    SAME_VARIABLES, /* the variables by which users change the MPI library */
    SAME_COUNTS,    /* "HOST:COUNT" words: the counts */
    SAME_SUITES,    /* suites with the same name */
    SAME_LANGUAGES, /* the compilers of the same language */
    SAME_FILES,     /* the contents of files with the same name */
    SAMES
};

/* The value of a fact in a merge: that of the first run; the one that begins with the largest
 * number, or with none; that with the smallest; or the values of all runs. */
enum fact_merged { MERGED_FIRST, MERGED_LARGEST, MERGED_SMALLEST, MERGED_ALL };

/* The treatment of a fact when the user submits the results to a database (skampi-db submit). */
enum fact_privacy {
    FACT_PRIVATE,    /* it stays on the user's machine */
    FACT_PUBLIC,     /* it contains no names of persons, hosts or paths */
    FACT_WITH_NAMES, /* it may contain names, which are replaced */
    FACT_PRIVACIES
};

/* The form of a fact: a line, or in a row a word, a number, a count, or see row_add_modes. */
enum fact_form { FORM_LINE, FORM_WORD, FORM_NUMBER, FORM_COUNT, FORM_MODES, FORMS };
extern const char *const fact_forms[FORMS];

struct fact_info {
    const char *name;  /* unique in its place */
    const char *title; /* in reports; NULL: they do not show it by itself */
    const char *unit;  /* or NULL */
    enum fact_form form;
    enum fact_place place;
    enum fact_same same;
    enum fact_merged merged; /* the value of a block's fact in a merge */
    enum fact_privacy privacy;
    const char *text; /* description: part of a sentence, ASCII */
};

const struct fact_info *fact_info(enum fact f);

/* In words: a place, "header"; the condition for merging runs, and the treatment of a fact when
 * results are submitted, "" for nothing. */
extern const char *const fact_places[FACT_PLACES];
extern const char *const fact_sames[SAMES];
extern const char *const fact_privacies[FACT_PRIVACIES];

/* Adds "#@NAME value". A value may have several lines (format_field). */
void fact_add(struct text *out, enum fact f, const char *value);
/* Like fact_add; releases the value, without which out has failed. */
void fact_add_text(struct text *out, enum fact f, struct text *value);

void fact_addf(struct text *out, enum fact f, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds a line whose length does not depend on value and fact, so that another one can replace it.
 * Longer values are cut. */
void fact_add_wide(struct text *out, enum fact f, const char *value);

/* Adds "NAME=value" lines, sorted by name, no newline after the last. Results may be published, so
 * possible secrets are printed as "NAME=(hidden)". Variables that only describe this launch are
 * omitted. variables ends with NULL, like environ. */
void environment_add(struct text *out, char *const *variables);

/* The fact that is known only after the results are complete: how long MPI_Finalize took. Its line
 * is first written with an unknown value, which is replaced in place. So the file is complete at
 * any moment, and its length does not change. Rank 0 only. */

/* Adds the line with an unknown value to the trailer. */
void late_fact_add(struct text *trailer);

/* Finds the line near the end of a finished result file. Returns a descriptor, by which the file is
 * known also if it is renamed; -1 if the line is missing, so that nothing is to be written. */
int late_fact_find(const char *path);

/* Replaces the value, unless another program changed the line, and closes the file, which may be
 * -1. A negative value stays unknown. 0 or -1. */
int late_fact_write(int file, double finalize_us);
