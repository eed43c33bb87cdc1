/* The parameter file of words while it is put together; for words*.c alone. */
#pragma once

#include "cli/words.h"
#include "model/others.h"

struct shipped;

struct words {
    const struct request *o;
    const struct command_line *line;
    const struct catalog *types;
    struct complaints complaints;
    struct text sections, keys, fields; /* of --set */
    struct text suites;
    enum benchmark as;
    const struct shipped *shipped;
};

/* The lengths of -m, or the usual ones. */
const char *words_lengths(const struct words *w);

/* Adds a suite of the type; with --as, by the definition of another benchmark's program, or NULL.
 */
void words_add_suite(struct words *w, const struct type_info *t, const struct other *other);

/* Adds the whole file: sections and suites, or the shipped file, and what options replace. */
void words_add_file(const struct words *w, struct text *file);
