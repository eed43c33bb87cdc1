/* Measurements named on the command line: words such as allreduce become a parameter file, and the
 * rest of the program knows only that. Pure. */
#pragma once

#include "session/request.h"

/* The command line as it was written. */
struct command_line {
    char **given; /* borrowed: main's argv */
    int argc;
    char **argv;        /* owned: the same in their order */
    const char **words; /* owned */
};

/* Is the only word of --check or --print-config no word, but the name of a file, maybe misspelled?
 */
bool words_name_file(const struct request *o, const struct catalog *types);

/* Adds the parameter file that the words and options of the request mean. -1: out has got
 * complaints about the command line; NULL: nothing is printed. */
int words_file(const struct request *o, const struct command_line *line,
               const struct catalog *types, struct text *file, FILE *out);
