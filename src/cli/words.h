/* Measurements named on the command line: words such as allreduce become a parameter file, and the
 * rest of the program knows only that. Pure. */
#pragma once

#include "model/others.h"
#include "session/request.h"

struct shipped;

/* The command line as it was written. */
struct command_line {
    char **given; /* borrowed: main's argv */
    int argc;
    char **argv;        /* owned: the same in their order */
    const char **words; /* owned */
    /* Owned: the arguments with blanks between them, after the program's name; the parameter file
     * that the words mean; and this file with marks of places in the joined line (complaints.h). */
    struct text joined, file, marked;
};

/* Is the only word of --check or --print-config the name of a file instead, maybe misspelled? */
bool words_name_file(const struct request *o, const struct catalog *types);

/* Makes the parameter file that the words and options of the request mean; the request borrows it
 * from the line. -1: out has got complaints about the command line; NULL: nothing is printed. */
int words_file(struct request *o, struct command_line *line, const struct catalog *types,
               FILE *out);

/* --- the file while it is put together, for words*.c --- */

struct words {
    const struct request *o;
    const struct command_line *line;
    const struct catalog *types;
    struct complaints complaints;
    const char *word;                   /* that is being read */
    struct text sections, keys, fields; /* of --set */
    struct text suites;
    long long memory_kib; /* @MEMORY, unless --set has it */
    double rows;          /* of the suites; a range of lengths counts as MANY_ROWS */
    enum benchmark as;
    const char *as_name;
    const struct shipped *shipped;
};

/* The place in the joined line of a part of an argument. */
size_t words_place(const struct words *w, const char *part);

/* Marks that the text from here on is of a part of an argument; NULL: of the word. Returns out. */
struct text *words_mark(const struct words *w, const char *part, struct text *out);

/* The lengths of -m, or the usual ones. */
const char *words_lengths(const struct words *w);

/* Adds a suite of the type; with --as, by another benchmark's definition, or NULL. */
void words_add_suite(struct words *w, const struct type_info *t, const struct other *other);

/* KiB of the usual lengths; the most of a file, until words_fit_lengths knows its needs. */
enum { USUAL_KIB = 64 * 1024, MOST_KIB = INT_MAX };

/* Finds in a file that was added the memory that the lengths of -m need; complains about lengths of
 * a list that cannot be sent, or not exactly. */
void words_fit_lengths(struct words *w, const struct text *file);

/* Adds the whole file: sections and suites, or the shipped file, and what options replace. */
void words_add_file(const struct words *w, struct text *file);
