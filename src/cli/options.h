/* The command line: options_read fills in the request that the others get. */
#pragma once

#include "cli/words.h"

/* Returns 0, or -1 with the problem and the remedy. o borrows strings
 * and words of the line, whose arguments are put in another order. Release the line in any case. */
int options_read(struct request *o, struct command_line *line, struct err *e);
void command_line_release(struct command_line *line);

/* Adds the help of a measurement, or of health; brief: on one screen. */
void options_help(struct text *out, bool brief, bool health);

/* Adds the options as the list "options" of the catalogue. */
void options_catalog(struct text *out);

/* For words.c: the name of an option that only words have; NULL: none is given. */
const char *options_change_words(const struct request *o);
