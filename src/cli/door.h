/* Commands, the first words of a command line, such as show: most start a report program, before
 * MPI_Init. */
#pragma once

#include "base/text.h"

/* Starts the report program that the first word names, and does not return. The exit status if it
 * cannot be started or was started by mpirun, after a message of process 0; -1: this program is
 * meant. */
int door_open(int argc, char **argv);

/* Is the word a command? If not, nearest may get the one that was meant, or NULL. */
bool door_has(const char *word, const char **nearest);

/* Adds a line for each command, and all as the list "commands" of the catalogue. */
void door_help(struct text *out);
void door_catalog(struct text *out);
