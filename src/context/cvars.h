/* The control variables of the MPI library (MPI_T), on each process separately; possible before
 * MPI_Init. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct algorithms;

enum { CVAR_NAME = 256, CVAR_TEXT = 4096 };

/* Call once before the others; false: the library has no variables. MPICH 4.0 loses its variables
 * in MPI_T_finalize, so nobody calls it. */
bool cvars_begin(void);

/* The number of the variable; -1: the library does not have it. */
int cvar_find(const char *name);

/* The name of the variable. False: it is unknown, or belongs to an unused component. */
bool cvar_name(int cvar, char name[CVAR_NAME]);

/* Can it be written? */
bool cvar_is_settable(int cvar);

/* A text, integer or logical value as a text, cut to size. False, and "": it cannot be read. */
bool cvar_text(int cvar, char *buffer, size_t size);

/* The value as an integer; fallback if there is no such variable. */
int cvar_get(int cvar, int fallback);
void cvar_set(int cvar, int value);

/* The named values of a variable: those of the enumeration, or those that the description lists as
 * "name - text". The caller frees the list. */
void cvar_choices(int cvar, struct algorithms *a);
