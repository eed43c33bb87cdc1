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

/* The kind of a value: a line, or in a row a word, number, whole number, or see row_add_modes. */
enum fact_kind {
    FACT_IS_LINE,
    FACT_IS_WORD,
    FACT_IS_NUMBER,
    FACT_IS_COUNT,
    FACT_IS_MODES,
    FACT_KINDS
};
extern const char *const fact_kinds[FACT_KINDS];

/* Where reports show facts: skampi-show; the report of a run; of several runs, side by side and run
 * by run; of launches, how they differ, what they must have in common, also for their values to
 * be usual ones, and what are settings; in the database, a machine, and a history. */
enum fact_list {
    IN_SHOW,
    IN_REPORT,
    IN_SIDES,
    IN_RUNS,
    IN_DIFFERENCES,
    IN_DEFINITION,
    IN_CLASS,
    IN_SETTINGS,
    IN_MACHINE,
    IN_HISTORY,
    FACT_LIST_COUNT
};
extern const char *const fact_lists[FACT_LIST_COUNT];

/* The form of a fact's text, which writers fill in and reports read (SKaMPI::Meaning::Facts):
 *   {name}       any text up to what follows in the form
 *   {name:s}     a word
 *   {name:d}     a whole number
 *   {name:.3f}   a number with three decimals
 *   [A|B|C]      the first of these that has all its values, or nothing
 *   \x           the character x
 *   A, ...       at the end: A as often as there are values; also after a blank or a line end */
struct fact_info {
    const char *name;  /* unique in its place */
    const char *title; /* in reports; NULL: they do not show it by itself */
    const char *unit;  /* or NULL */
    const char *form;  /* or NULL: any text */
    enum fact_kind kind;
    int shown[FACT_LIST_COUNT]; /* 0: not; smaller numbers first, equal ones as printed */
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

/* A value for a form: a number, or a text (borrowed). NAN and NULL omit the part in brackets. */
struct fact_value {
    double number;
    const char *text;
};

/* Adds to a value what the fact's form has before its list, or an item of the list if the value has
 * that already. Takes as many values as that part names: { .number = 5.0 }, { .text = "five" }.
 * Another number of values fails. */
#define fact_fill(value, f, ...)                                                                   \
    fact_fill_values(value, f, (const struct fact_value[]){ __VA_ARGS__ },                         \
                     sizeof((const struct fact_value[]){ __VA_ARGS__ }) /                          \
                         sizeof(struct fact_value))
void fact_fill_values(struct text *value, enum fact f, const struct fact_value *values,
                      size_t count);

/* Adds "#@NAME value" with the values in the fact's form, which has no list. */
#define fact_write(out, f, ...)                                                                    \
    do {                                                                                           \
        struct text filled_ = { 0 };                                                               \
        fact_fill(&filled_, f, __VA_ARGS__);                                                       \
        fact_add_text(out, f, &filled_);                                                           \
    } while (0)

/* Adds "#@NAME value". A value may have several lines (format_field). */
void fact_add(struct text *out, enum fact f, const char *value);
/* Like fact_add; releases the value. */
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

/* The variables that were set when it was first called: the MPI library sets some itself while it
 * starts, with random values among them. */
char *const *environment_at_start(void);

/* The fact that is known only after the results are complete: how long MPI_Finalize took. Its line
 * is first written with an unknown value, which is replaced in place. So the file is complete at
 * any moment, and its length does not change. Rank 0 only. */

/* Adds the line to the trailer; NAN: its value is unknown. */
void late_fact_add(struct text *trailer, double finalize_us);

/* Replaces the value near the end of a finished result file, unless another program changed the
 * line, and closes the file, which is known also if it was renamed, and may be -1. A negative value
 * stays unknown. 0 or -1. */
int late_fact_write(int file, double finalize_us);
