/* Commands, the first words of a command line, such as show: most start a report program, before
 * MPI_Init. Words and options of other programs, which are refused. */
#pragma once

#include "base/text.h"

/* Starts the report program that the first word names, and does not return. The exit status if it
 * cannot be started or was started by mpirun, after a message of process 0; -1: this program is
 * meant. */
int door_open(int argc, char **argv);

/* Is the word a command? If not, nearest may get the one that was meant, or NULL. */
bool door_has(const char *word, const char **nearest);

/* Adds a line for each command. */
void door_help(struct text *out);

/* A row of foreign.def. */
struct foreign {
    const char *words, *whose, *here; /* here: what to type instead, maybe the name of a type */
};

/* The row of a word, in any case, or of an option, "-i"; NULL without a match. */
const struct foreign *foreign_find(const char *typed);

/* Refuses an option of another program, "--root=0" or "-i"; 0: it is not known. */
int foreign_refuse(const char *option, struct err *e);

/* Adds the lists "commands" and "foreign" of the catalogue. */
void door_catalog(struct text *out);
